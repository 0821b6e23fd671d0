import { on } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createQuestions, type Questions } from './bridge/ask-person.ts'
import { callTool } from './bridge/call-tool.ts'
import { carry, type CarryDeps, type Letter } from './bridge/carry.ts'
import { answerOf, endedEarly, failure, isFields, readMessage, type Message } from './bridge/messages.ts'
import type { SigningDeps } from './bridge/signing-desk.ts'

export type BridgeDeps = Omit<CarryDeps, 'chainId'> & {
  /** What the service takes signatures for; given up when nobody listens any more. */
  readonly chainId: (ended: AbortSignal) => Promise<number>
  readonly signing: SigningDeps
  readonly input: Readable
  readonly write: (line: string) => void
  readonly stopped: AbortSignal
}

/** What the client and the service agreed on when they began. */
type Begun = { version: string | undefined; capabilities: unknown }

/**
 * Carries messages of the tool protocol between a client on stdio and the tool server, signing each request: clients
 * cannot sign for themselves (decision 0072). What a tool asks the wallet to sign is signed here, where its person says
 * yes and the limits have room (decision 0156); every other message passes as it came.
 */
export async function runBridge(deps: BridgeDeps): Promise<number> {
  const underWay = new Map<unknown, AbortController>()
  const pending = new Set<Promise<void>>()
  const begun: Begun = { version: undefined, capabilities: undefined }
  const write = (message: Message): void => {
    deps.write(JSON.stringify(message))
  }
  const questions = createQuestions(write)
  let count = 0
  const heard = listen(deps)
  const chainId = await deps.chainId(heard.ended).catch((error: unknown) => {
    if (!heard.ended.aborted) throw error
  })
  if (chainId === undefined) return count
  for await (const line of heard.lines) {
    if (line.trim() === '') continue
    count += 1
    const message = readMessage(line)
    if (message === undefined) {
      write(answerOf(null, { error: { code: -32700, message: 'the line is no JSON object' } }))
      continue
    }
    if (message.method === 'notifications/cancelled') underWay.get(message.params?.['requestId'])?.abort()
    if (message.method === 'initialize') begun.capabilities = message.params?.['capabilities']
    const abort = new AbortController()
    if (questions.take(message, abort.signal)) continue
    if (message.id !== undefined) underWay.set(message.id, abort)
    const letter = { line, message, version: begun.version, signal: abort.signal }
    const done = handle({ ...deps, chainId, questions, write }, letter, begun).finally(() => {
      underWay.delete(message.id)
      pending.delete(done)
    })
    pending.add(done)
  }
  // Whoever closed the input waits for no answer.
  for (const abort of underWay.values()) abort.abort()
  await Promise.allSettled(pending)
  return count
}

/** The lines of the client from now on, and that there will be no more: its input is closed, or the command stopped. */
function listen({ input, stopped }: Pick<BridgeDeps, 'input' | 'stopped'>) {
  const reader = createInterface({ input, crlfDelay: Infinity })
  const ended = new AbortController()
  const close = (): void => {
    reader.close()
  }
  reader.once('close', () => {
    ended.abort()
  })
  // What comes before it is asked for waits.
  const heard = on(reader, 'line', { close: ['close'] })
  if (stopped.aborted) close()
  stopped.addEventListener('abort', close, { once: true })
  const lines = async function* (): AsyncGenerator<string> {
    for await (const [line] of heard) yield String(line)
  }
  return { lines: lines(), ended: ended.signal }
}

type HandleDeps = CarryDeps & {
  readonly signing: SigningDeps
  readonly questions: Questions
  readonly write: (message: Message) => void
}

async function handle(deps: HandleDeps, letter: Letter, begun: Begun): Promise<void> {
  const { message, signal } = letter
  try {
    if (message.method === 'tools/call' && message.id !== undefined)
      await callTool({ ...deps, capabilities: begun.capabilities }, letter)
    else {
      let isAnswered = message.id === undefined
      for await (const answer of carry(deps, letter)) {
        if (message.method === 'initialize') begun.version ??= versionIn(answer)
        isAnswered ||= answer.method === undefined && answer.id === message.id
        deps.write(answer)
      }
      if (!isAnswered && !signal.aborted) deps.write(failure(message.id, endedEarly))
    }
  } catch (error) {
    if (message.id !== undefined && !signal.aborted)
      deps.write(failure(message.id, error instanceof Error ? error.message : String(error)))
  }
}

function versionIn({ result }: Message): string | undefined {
  const version = isFields(result) ? result['protocolVersion'] : undefined
  return typeof version === 'string' ? version : undefined
}
