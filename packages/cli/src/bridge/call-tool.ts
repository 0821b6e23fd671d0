import { agreedIn } from './agreed.ts'
import { mannerOf, ownCapabilities, type Manner, type Questions } from './ask-person.ts'
import { carry, type CarryDeps, type Letter } from './carry.ts'
import { blockIn, type ToolCall } from './explain.ts'
import { endedEarly, failure, isFields, type Fields, type Message } from './messages.ts'
import { signFor, type SigningDeps } from './signing-desk.ts'
import { decimalOf } from './terms.ts'
import type { Statement } from './statement.ts'

export type CallDeps = CarryDeps & {
  readonly signing: SigningDeps
  readonly questions: Questions
  readonly write: (message: Message) => void
  /** What the client said about itself when it began. */
  readonly capabilities: unknown
}

/** Worker and fee of a direct payment are two; nothing asks for more. */
const mostSignatures = 3

/** The request that is answered in the end, and what ends it: a client may have asked again in place of the first. */
type Answering = { id: unknown; signal: AbortSignal }

/**
 * Calls a tool, and as often again as its answer asks for a signature that the bridge gives. Whatever the service says
 * beside its answer goes to the client as it comes.
 */
export async function callTool(deps: CallDeps, letter: Letter): Promise<void> {
  const answering: Answering = { id: letter.message.id, signal: letter.signal }
  const answer = await called(deps, letter, answering).catch((error: unknown) =>
    failure(answering.id, error instanceof Error ? error.message : String(error)),
  )
  if (!answering.signal.aborted) deps.write({ ...answer, id: answering.id })
}

async function called(deps: CallDeps, letter: Letter, answering: Answering): Promise<Message> {
  const signed: Statement[] = []
  const parameters = new Set<unknown>()
  let { message } = letter
  let answer = await exchange(deps, letter)
  for (;;) {
    const [call, body] = [toolCallOf(message), bodyOf(answer)]
    if (call === undefined) return answer
    if (body === undefined || blockIn(body) === undefined) {
      note(deps.signing, call, answer.result)
      return told(answer, signed)
    }
    const parameter = parameterOf(body)
    if (parameters.has(parameter) || parameters.size >= mostSignatures)
      return told(answer, signed, 'it is signed already in this call')
    parameters.add(parameter)
    const lacking = { body, call, manner: mannerFor(deps, message), asking: answering }
    const outcome = await signFor(deps.signing, deps.questions, lacking)
    if (outcome.said !== undefined) [answering.id, answering.signal] = [outcome.said.replyTo, outcome.said.signal]
    if ('refused' in outcome) return told(answer, signed, outcome.refused)
    signed.push(...outcome.signed)
    message = withArguments(message, answering.id, outcome.given)
    answer = await exchange(deps, {
      ...letter,
      line: JSON.stringify(message),
      message,
      signal: answering.signal,
    }).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      throw new Error(`it is signed, and the answer was lost (${why}): read the task before anything else`, {
        cause: error,
      })
    })
  }
}

/** The answer to one request; what the service sends before it is passed on. */
async function exchange(deps: CallDeps, letter: Letter): Promise<Message> {
  const { id } = letter.message
  for await (const message of carry(deps, letter)) {
    if (message.method === undefined && message.id === id) return message
    deps.write(message)
  }
  return failure(id, endedEarly)
}

function toolCallOf({ params }: Message): ToolCall | undefined {
  const { name, arguments: given = {} } = params ?? {}
  return typeof name === 'string' && isFields(given) ? { name, given } : undefined
}

/** The same call with its signature: a request of its own, that answers no earlier question. */
function withArguments({ params = {}, ...message }: Message, id: unknown, given: Fields): Message {
  const { requestState: _state, inputResponses: _responses, ...kept } = params
  return { ...message, id, params: { ...kept, arguments: given } }
}

function bodyOf({ result }: Message): Fields | undefined {
  const body = isFields(result) ? result['structuredContent'] : undefined
  return isFields(body) ? body : undefined
}

function parameterOf(body: Fields): unknown {
  const block = body['wallet_action']
  const back = isFields(block) ? block['how_to_return'] : undefined
  return isFields(back) ? back['parameter'] : undefined
}

function mannerFor({ capabilities }: CallDeps, { params }: Message): Manner {
  const own = ownCapabilities(params)
  return own === undefined ? mannerOf(capabilities, 'request') : mannerOf(own, 'input_required')
}

/** What a task was published with is remembered, so that nothing else is locked for it. */
function note({ record, now, limits }: SigningDeps, call: ToolCall, result: unknown): void {
  const agreed = limits() === null ? undefined : agreedIn(call, result, now())
  if (agreed !== undefined) record.add(() => agreed)
}

/** Says beside an answer what was signed for it, and why something was not. */
function told(answer: Message, signed: readonly Statement[], refused?: string): Message {
  const lines = [
    ...signed.map(({ says }) => `The wallet signed: ${says.join(' ')}`),
    ...(refused === undefined ? [] : [`The bridge did not sign: ${refused}.`]),
  ]
  if (lines.length === 0 || !isFields(answer.result)) return answer
  const { content, _meta } = answer.result
  const bridge = {
    signed: signed.map(({ act, amount, token, network, to, task }) => ({
      act,
      amount: decimalOf(amount),
      token,
      network,
      to,
      task,
    })),
    ...(refused === undefined ? {} : { refused }),
  }
  return {
    ...answer,
    result: {
      ...answer.result,
      content: [...(Array.isArray(content) ? (content as unknown[]) : []), { type: 'text', text: lines.join('\n') }],
      _meta: { ...(isFields(_meta) ? _meta : {}), 'ergon/bridge': bridge },
    },
  }
}
