import type { NoticeQueue, DueNotice } from '@ergon/core'
import type { EventRelay } from '../events/event-relay.ts'

const gatherMs = 50

/** Tells subscriptions that something happened to their wallets, once for all events of a moment. */
export function createWalletTeller(
  relay: Pick<EventRelay, 'subscribe'>,
  subscriptions: Pick<NoticeQueue<DueNotice>, 'tell'>,
  onError: (error: unknown) => void,
): AsyncDisposable {
  const gathered = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let telling: Promise<void> = Promise.resolve()
  const tell = (): void => {
    timer = undefined
    const wallets = [...gathered]
    gathered.clear()
    telling = telling.then(() => subscriptions.tell(wallets)).catch(onError)
  }
  const subscription = relay.subscribe(({ wallets }) => {
    if (wallets.length === 0) return
    for (const wallet of wallets) gathered.add(wallet)
    timer ??= setTimeout(tell, gatherMs)
  })
  return {
    async [Symbol.asyncDispose]() {
      subscription[Symbol.dispose]()
      if (timer !== undefined) {
        clearTimeout(timer)
        tell()
      }
      await telling
    },
  }
}
