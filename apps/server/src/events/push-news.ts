import type { DuePush } from '@ergon/core'

export type PushUpdate = { readonly id: string; readonly place: string; readonly body: string }
/** What a config has not heard, so many events at the most; null when its wallet may not read the task any more. */
export type PushNews = (
  config: Pick<DuePush, 'wallet' | 'taskId' | 'place'>,
  most: number,
) => Promise<{
  readonly updates: readonly PushUpdate[]
  readonly place: string
  readonly isOver: boolean
  readonly hasMore: boolean
} | null>
