import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Hex } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import type { PrintedBuild, PrintedStep, Skill } from './read-skill.ts'
import { signAsPrinted } from './sign.ts'
import { at, filledJson, filledUrl, textOf, valueOf, withPlace, type Values } from './values.ts'

/** Who follows: a key, and files by the names that the text gives them. */
export type Follower = { readonly key: Hex; readonly files: Readonly<Record<string, Uint8Array<ArrayBuffer>>> }
/** What was answered in each step, the last time it was sent. */
export type Followed = { readonly answers: ReadonlyMap<string, unknown>; readonly sent: readonly string[] }

type Running = {
  readonly skill: Skill
  readonly account: PrivateKeyAccount
  readonly files: Follower['files']
  readonly values: Values
}

/**
 * Follows one side of a route of a printed file. It knows the notation and four primitives (HTTP, JSON Pointer,
 * signing a text, signing typed data) and nothing of what it is about.
 */
export async function follow(skill: Skill, route: string, side: string, { key, files }: Follower): Promise<Followed> {
  const account = privateKeyToAccount(key)
  const values: Values = new Map([['wallet', account.address.toLowerCase()]])
  const answers = new Map<string, unknown>()
  const sent: string[] = []
  for (const name of skill.route(route, side)) {
    const step = skill.step(name)
    if (step.onlyIf !== undefined && !step.onlyIf.oneOf.includes(textOf(values.get(step.onlyIf.at)))) continue
    answers.set(name, await perform(step, { skill, account, files, values }))
    sent.push(name)
  }
  return { answers, sent }
}

async function perform(step: PrintedStep, running: Running): Promise<unknown> {
  const { account, values } = running
  for (;;) {
    const answer = await answered(step, running)
    const { unless, until } = step
    if (unless !== undefined && unless.oneOf.includes(String(at(answer, unless.at))))
      throw new Error(`${step.name} gives up: ${JSON.stringify(answer)}`)
    if (until !== undefined && !isReached(until.oneOf, at(answer, until.at))) {
      await pause(2_000)
      continue
    }
    for (const [pointer, value] of step.checks) requireSame(step, at(answer, pointer), valueOf(value, values))
    for (const [name, pointer] of step.keeps) values.set(name, at(answer, pointer))
    for (const [name, pointer] of step.signs) values.set(name, await signed(account, at(answer, pointer)))
    for (const build of step.builds) values.set(build.name, built(build, answer, values))
    return answer
  }
}

const isReached = (oneOf: readonly string[], value: unknown): boolean =>
  oneOf.length === 0 ? value !== undefined && value !== null : oneOf.includes(String(value))

function requireSame(step: PrintedStep, found: unknown, wanted: unknown): void {
  const plain = (value: unknown): string => String(value).replace(/^0x.*/, (hex) => hex.toLowerCase())
  if (plain(found) !== plain(wanted)) throw new Error(`${step.name}: ${String(found)} is not ${String(wanted)}`)
}

async function signed(account: PrivateKeyAccount, typedData: unknown): Promise<string | undefined> {
  if (typedData === undefined || typedData === null) return undefined
  // EIP-712 as the service hands it out; the library refuses what it is not.
  return account.signTypedData(typedData as Parameters<PrivateKeyAccount['signTypedData']>[0])
}

function built({ from, places, asText }: PrintedBuild, answer: unknown, values: Values): unknown {
  const part = at(answer, from)
  if (part === undefined || part === null) return undefined
  const whole = places.reduce<unknown>((one, [pointer, value]) => withPlace(one, pointer, valueOf(value, values)), part)
  return asText ? JSON.stringify(whole) : whole
}

const mostTries = 6

/** Sends until the answer is one that the step names; what may succeed later is sent again as it was. */
async function answered(step: PrintedStep, running: Running): Promise<unknown> {
  running.values.set('new_key', randomUUID())
  for (let tries = 1; ; tries += 1) {
    const response = await send(step, running)
    const text = await response.text()
    if (step.answers.includes(String(response.status))) return text === '' ? undefined : JSON.parse(text)
    const isLater = text.startsWith('{') && at(JSON.parse(text), '/detail/retryable') === true
    if (!isLater || tries === mostTries)
      throw new Error(`${step.name}: ${String(response.status)} ${text} to ${step.method} ${step.url}`)
    await pause(Number(response.headers.get('retry-after') ?? 2) * 1_000)
  }
}

async function send(step: PrintedStep, { skill, account, files, values }: Running): Promise<Response> {
  const url = filledUrl(step.url, values)
  const headers: Record<string, string> = {}
  for (const [name, text] of step.headers) {
    const value = valueOf(text, values)
    if (value !== undefined && value !== null) headers[name] = textOf(value)
  }
  const file = files[/^\{(\w+)\}$/.exec(step.body ?? '')?.[1] ?? '']
  const body = file ?? (step.body === undefined ? undefined : JSON.stringify(filledJson(JSON.parse(step.body), values)))
  if (step.isSigned) {
    const parts = {
      method: step.method,
      url,
      body: typeof body === 'string' ? body : undefined,
      chainId: textOf(values.get('chain_id')),
      created: Math.floor(Date.now() / 1_000),
      nonce: randomUUID().replaceAll('-', ''),
    }
    Object.assign(headers, (await signAsPrinted(skill.recipe, account, parts)).headers)
  }
  return fetch(url, { method: step.method, headers, ...(body === undefined ? {} : { body }) })
}
