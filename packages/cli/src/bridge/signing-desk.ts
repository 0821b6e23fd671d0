import { returnSignature } from '@ergon/contract'
import { lowerAddress, type Network, type Signer } from '@ergon/protocols'
import { CliError } from '../cli-error.ts'
import type { Questions, Manner, Said } from './ask-person.ts'
import { explain, type Explained, type ToolCall } from './explain.ts'
import { entryFor, isCounted, spent, wasLocked, type Entry, type SigningLimits } from './limits-of-signing.ts'
import type { Fields } from './messages.ts'
import type { SigningRecord } from './signing-record.ts'
import { NotSigned, type Statement } from './statement.ts'
import { decimalOf } from './terms.ts'

export type SigningDeps = {
  readonly signer: Signer
  readonly networks: readonly Network[]
  /** Asked for each signature, so that a limit that was lowered holds at once; null where none is written. */
  readonly limits: () => SigningLimits | null
  readonly record: SigningRecord
  /** Unix seconds. */
  readonly now: () => number
}

/** One answer that asks for a signature, the call it answers, and how its person is asked. */
export type Lacking = {
  readonly body: Fields
  readonly call: ToolCall
  readonly manner: Manner
  readonly asking: { readonly id: unknown; readonly signal: AbortSignal }
}

export type Outcome =
  | { readonly given: Fields; readonly signed: readonly Statement[]; readonly said: Said }
  | { readonly refused: string; readonly said?: Said }

/**
 * Signs what an answer asks for, if it can be explained, the person says yes, and the limits have room; otherwise says
 * why not. The place under the limits is taken before the signature exists and is never given back: a signature that is
 * out can be used until it ends.
 */
export async function signFor(deps: SigningDeps, questions: Questions, lacking: Lacking): Promise<Outcome> {
  let said: Said | undefined
  try {
    const limits = deps.limits()
    if (limits === null)
      throw new NotSigned('no limits are written for this wallet: `ergon mcp limits --per-task 5 --per-day 20`')
    const explained = read(deps, lacking)
    const entries = deps.record.entries()
    entryFor(explained, entries, limits, deps.now()) // what is past a limit is not even asked
    said = await questions.ask(question(explained, entries, limits, deps.now()), lacking.manner, lacking.asking)
    if (!said.yes) return { refused: 'the person said no', said }
    if (said.signal.aborted) return { refused: 'the call was cancelled', said }
    const signed = read(deps, lacking) // the person may have taken longer than it is good for
    const latest = deps.limits()
    if (latest === null) throw new NotSigned('the limits were taken away meanwhile')
    const all = [signed, ...(signed.besides === undefined ? [] : [signed.besides])]
    for (const one of all) deps.record.add((entries) => entryFor(one, entries, latest, deps.now()))
    const signature = await deps.signer.signTypedData(signed.document)
    const second = signed.besides && (await deps.signer.signTypedData(signed.besides.document))
    return { given: returnSignature(signed.action, signature, second), signed: all, said }
  } catch (error) {
    if (error instanceof NotSigned || error instanceof CliError)
      return { refused: error.message, ...(said === undefined ? {} : { said }) }
    throw error
  }
}

function read({ signer, networks, now }: SigningDeps, { body, call }: Lacking): Explained {
  return explain(body, call, { signer: lowerAddress(signer.address), networks, now: now() })
}

/** Everything a person needs to say yes or no, from the document and the record alone. */
function question(statement: Explained, entries: readonly Entry[], limits: SigningLimits, now: number): string {
  const { ofTask, ofDay } = spent(entries, statement.task, now)
  const isKnown = wasLocked(statement, entries)
  const counted = isCounted(statement, entries) ? statement.amount : 0n
  return [
    statement.besides === undefined ? 'Sign with your wallet?' : 'Sign with your wallet, twice?',
    ...statement.says,
    ...(statement.besides?.says ?? []),
    ...(statement.act === 'release'
      ? [isKnown ? 'You had it locked through this bridge, for this payee.' : 'It was not locked through this bridge.']
      : []),
    `With it, ${decimalOf(ofTask + counted)} of ${decimalOf(limits.perTask)} are signed for this task, and ` +
      `${decimalOf(ofDay + counted)} of ${decimalOf(limits.perDay)} in 24 hours.`,
  ].join('\n')
}
