import { useDraft } from '../../lib/use-draft.ts'

const empty = { actor: '' }
const longest = 100
// It travels in a header, and a header carries Latin-1 alone.
const outside = /[^\u0020-\u007e\u00a0-\u00ff]/

/** What is sent for who acts; nothing where nothing was typed, so that the service puts its own word. */
export function actorInput(typed: string): { readonly actor?: string } {
  const actor = typed.trim()
  return actor === '' ? {} : { actor }
}

export function isActorSendable(typed: string): boolean {
  return !outside.test(typed.trim()) && typed.trim().length <= longest
}

/** Who acts, as it was last typed in this browser; one name serves every form of the operator. */
export function useActor(): readonly [typed: string, type: (typed: string) => void] {
  const [{ actor }, change] = useDraft('operator', empty)
  return [
    actor,
    (typed) => {
      change({ actor: typed })
    },
  ]
}
