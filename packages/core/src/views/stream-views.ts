import type { Caller } from '../caller.ts'
import type { MarketDeps } from '../flows/deps.ts'
import type { StreamView } from '../flows/stream.ts'
import { isFinal } from '../tasks/lifecycle.ts'
import { emptyPage, type Page, type PageRequest } from '../page.ts'
import type { StreamsOf } from '../ports/store-channels.ts'

/** As what a caller takes part in a session. */
export type StreamRole = 'buyer' | 'worker'

/** The caller's own sessions on one side; who signs nothing, or never worked, has none (spec §5.5). */
export async function ownStreams(
  deps: MarketDeps,
  caller: Caller,
  role: StreamRole,
  page: PageRequest,
): Promise<Page<StreamView>> {
  const whose = caller.kind === 'anonymous' ? null : await sideOf(deps, caller.wallet, role)
  if (whose === null) return emptyPage(page)
  const found = await deps.store.streamsOf(whose, page)
  const channels = await deps.store.channelsOf(found.rows.map(({ stream }) => stream.id))
  const of = new Map(channels.map((channel) => [channel.taskId, channel]))
  const rows = found.rows.map(({ stream, terms }): StreamView => {
    const channel = of.get(stream.id) ?? null
    const { asset } = stream.bounty
    const updatedAt = channel?.updatedAt ?? stream.updatedAt
    return { stream, taskId: stream.id, asset, terms, channel, updatedAt, isTaskOver: isFinal(stream.status) }
  })
  return { ...found, rows }
}

async function sideOf({ store }: MarketDeps, wallet: string, role: StreamRole): Promise<StreamsOf | null> {
  if (role === 'buyer') return { buyer: wallet }
  const worker = await store.workerByWallet(wallet)
  return worker === null ? null : { worker: worker.id }
}
