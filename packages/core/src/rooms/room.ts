import type { Category } from '@ergon/contract'
import { isPublic, type RecordedEvent } from '../events/event.ts'

/** What is listened to: what concerns a wallet, one task, the open market of a category, or all of it. */
export type Room =
  | { readonly kind: 'user'; readonly wallet: string }
  | { readonly kind: 'task'; readonly taskId: string }
  | { readonly kind: 'category'; readonly category: Category }
  | { readonly kind: 'global' }

/**
 * Whether a wallet may hear of an event at all: as a party of it, as everybody may, or, in the room of a task, as long
 * as the wallet belongs to that task. What concerns the parties alone is for them alone, applicants included.
 */
export function hearing(
  event: Pick<RecordedEvent, 'type' | 'data' | 'wallets'>,
  wallet: string,
): 'party' | 'public' | 'none' {
  if (event.wallets.includes(wallet)) return 'party'
  return isPublic(event) ? 'public' : 'none'
}
