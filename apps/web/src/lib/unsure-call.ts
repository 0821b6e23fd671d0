import type { OperationName } from '@ergon/contract'
import { ErgonError } from '@ergon/sdk'
import { draftKey } from './draft-owner.ts'
import { onDevice } from './kept.ts'
import { keepDraft, readDraft } from './use-draft.ts'

type Unsure = { readonly said: string; readonly key: string }

/** A picture is no text that is sent twice by mistake. */
const longest = 20_000
/** How the library names a key that the words of a call do not give. */
const ownKey = 'r1-'
const nameOf = (name: OperationName): string => `unsure.${name}`

/**
 * The key of a call of the same words whose answer was lost. Sent again under it, a message is not written twice: also
 * after a reload, as what was typed outlives that.
 */
export function unsureKey(name: OperationName, input: unknown): string | undefined {
  const { said, key } = readDraft<Unsure>(nameOf(name))
  return said === JSON.stringify(input) ? key : undefined
}

/** Notes how a call ended: an answer of whatever kind ends what was unsure, its loss begins it. */
export function noteCall(name: OperationName, input: unknown, error?: unknown): void {
  const key = error instanceof ErgonError && error.pending ? error.idempotencyKey : undefined
  const said = JSON.stringify(input)
  if (key?.startsWith(ownKey) === true && said.length <= longest) keepDraft(nameOf(name), { said, key })
  else onDevice.forget(draftKey(nameOf(name)))
}
