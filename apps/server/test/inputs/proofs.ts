import pg from 'pg'
import type { Reply } from '../dispatch/send.ts'
import { others, traces } from './exceptions.ts'
import { change, nameOf, otherValues, read, type Leaf } from './leaves.ts'
import type { Recorded, Recorder } from './recorder.ts'

/** How the effect of a field was seen. */
export type Proof = 'kept' | 'answered' | 'refused when tampered with' | 'decides the answer'

/** Every row of every table, as text. */
export async function everyRow(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'",
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`)
    texts.push(...rows.map(({ row }) => row))
  }
  await client.end()
  return texts.join('\n')
}

/** Beside the text, what travels inside its data URIs. */
export function unpacked(text: string): string {
  const inside = [...text.matchAll(/;base64,([a-z0-9+/=]+)/gi)].map(([, packed = '']) =>
    Buffer.from(packed, 'base64').toString('utf8'),
  )
  return [text, ...inside].join('\n')
}

/** The first proof that a field has an effect; null where none was seen. */
export async function proofOf(leaf: Leaf, recorder: Recorder, kept: string): Promise<Proof | null> {
  if (recorder.wasRefused(leaf)) return 'refused when tampered with'
  if (recorder.canariesOf(leaf).some((canary) => kept.includes(canary))) return 'kept'
  if (traces[nameOf(leaf)]?.test(kept) === true) return 'kept'
  const calls = recorder.callsOf(leaf.operation)
  if (isAnswered(leaf, calls)) return 'answered'
  for (const call of differing(leaf, calls)) if (await decides(leaf, call)) return 'decides the answer'
  return null
}

/** An answer shows the value under the name of the field, and the answer to another value shows another. */
function isAnswered(leaf: Leaf, calls: readonly Recorded[]): boolean {
  const name = leaf.path.at(-1) ?? ''
  const good = calls.filter(({ reply }) => reply.status < 300)
  const shows = ({ reply }: Recorded, value: unknown): boolean =>
    valuesUnder(name, reply.body).includes(JSON.stringify(value)) ||
    (typeof value === 'string' &&
      value.length > 30 &&
      JSON.stringify(reply.body).toLowerCase().includes(value.toLowerCase()))
  return good.some((call) => {
    const value = read(call, leaf)
    return value !== undefined && shows(call, value) && good.some((other) => !shows(other, value))
  })
}

function valuesUnder(name: string, value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => [
    ...(key === name ? [JSON.stringify(one)] : []),
    ...valuesUnder(name, one),
  ])
}

/** Newest first, and one of each caller, status and route: what was done stays done, so others may show more. */
function differing(leaf: Leaf, calls: readonly Recorded[]): readonly Recorded[] {
  const senders = [...new Set(calls.map(({ send }) => send))]
  const last = new Map<string, Recorded>()
  for (const call of calls) {
    const carries = read(call, leaf) !== undefined
    last.set([carries, senders.indexOf(call.send), call.reply.status, call.binding.path].join(' '), call)
  }
  return [...last.values()].reverse()
}

/** The same request once more, and with another value: what is the same in two of the former differs in the latter. */
async function decides(leaf: Leaf, call: Recorded): Promise<boolean> {
  const current = read(call, leaf)
  const [before, again] = [await call.send(call.request), await call.send(call.request)]
  for (const value of valuesToTry(leaf, current)) {
    const other = await call.send(change(call, leaf, value))
    if (other.status === 429 || isOfTheSchema(other)) continue
    if (other.status !== before.status && other.status !== again.status) return true
    if (other.status === before.status && differs(before.body, again.body, other.body)) return true
  }
  return false
}

const valuesToTry = (leaf: Leaf, current: unknown): readonly unknown[] =>
  others[nameOf(leaf)] ?? otherValues(leaf, current).slice(0, 12)

const isOfTheSchema = ({ body }: Reply): boolean => body.code === 'UNKNOWN_FIELD' || body.code === 'MALFORMED_BODY'

/** Whether one differs from two others in something that they agree on. */
function differs(one: unknown, same: unknown, other: unknown): boolean {
  if (isList(one) && isList(same) && isList(other) && one.length === same.length && other.length !== one.length)
    return true
  if (isFields(one) && isFields(same) && isFields(other))
    return [...new Set([...Object.keys(one), ...Object.keys(other)])]
      .filter((name) => name !== 'request_id')
      .some((name) => differs(one[name], same[name], other[name]))
  return isSame(one, same) && !isSame(one, other)
}

/** Moments within a minute are the same: each call has its own now. */
function isSame(one: unknown, other: unknown): boolean {
  const [first, second] = [momentOf(one), momentOf(other)]
  if (first !== null && second !== null) return Math.abs(first - second) < 60_000
  return JSON.stringify(one) === JSON.stringify(other)
}

function momentOf(value: unknown): number | null {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : null
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
