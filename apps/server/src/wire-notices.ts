import { createNoticeDuty, makesNotice, type NoticeDutyDeps } from '@ergon/core'
import { createBoundedCache } from './surroundings/bounded-cache.ts'
import { keyFor } from './surroundings/key-for.ts'
import { createXmtpNotifier } from './adapters/xmtp/xmtp-notifier.ts'
import { loadXmtp } from './adapters/xmtp/load-xmtp.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import type { EventRelay } from './events/event-relay.ts'
import { createLoop } from './workers/loop.ts'

export type NoticesDeps = Pick<NoticeDutyDeps, 'store' | 'clock' | 'ids' | 'onGivenUp'> & {
  readonly config: Pick<Config, 'xmtpEnv' | 'dataDir'>
  readonly secrets: Pick<Secrets, 'xmtpKey' | 'secret'>
  readonly relay: Pick<EventRelay, 'subscribe'>
  readonly onError: (name: string, error: unknown) => void
}

const leaseMs = 7_000
const timeoutMs = 20_000
const intervalMs = 5_000

/**
 * Sockets are told by every process itself, from the stream, because only one of them holds a given socket; what goes
 * out over XMTP goes out once (decision 0067). @throws ConfigError when XMTP is set and its library is not there
 */
export async function prepareNotices(deps: NoticesDeps): Promise<(() => AsyncDisposable) | null> {
  const { config, secrets } = deps
  if (config.xmtpEnv === null || secrets.xmtpKey === undefined) return null
  const connect = await loadXmtp({
    env: config.xmtpEnv,
    key: secrets.xmtpKey,
    dataDir: config.dataDir,
    storeKey: keyFor(secrets.secret, 'xmtp store'),
  })
  return () => startNotices(deps, createXmtpNotifier({ connect, timeoutMs }))
}

/** Tells workers for as long as it is not disposed of. */
export function startNotices(
  deps: Pick<NoticesDeps, 'store' | 'clock' | 'ids' | 'onGivenUp' | 'relay' | 'onError'>,
  notifier: NoticeDutyDeps['notifier'],
): AsyncDisposable {
  // A crash between telling and remembering tells again; within one process a notice is told once.
  const lately = createBoundedCache<true>(1_000, 600_000)
  const once: NoticeDutyDeps['notifier'] = {
    async notify(notice) {
      if (lately.get(notice.id) === true) return 'told'
      const outcome = await notifier.notify(notice)
      lately.set(notice.id, true)
      return outcome
    },
  }
  const run = createNoticeDuty({
    store: deps.store,
    notifier: once,
    clock: deps.clock,
    ids: deps.ids,
    leaseMs,
    onGivenUp: deps.onGivenUp,
  })
  const loop = createLoop({ name: 'notices', intervalMs, run, onError: deps.onError })
  const listening = deps.relay.subscribe((event) => {
    if (makesNotice(event.type)) loop.wake()
  })
  return {
    async [Symbol.asyncDispose]() {
      listening[Symbol.dispose]()
      await loop[Symbol.asyncDispose]()
    },
  }
}
