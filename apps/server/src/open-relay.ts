import type { Market } from '@ergon/core'
import { openWakeChannel } from './adapters/postgres/index.ts'
import type { Alarms } from './compose-market.ts'
import type { Config } from './config/config.ts'
import { startEventRelay, type EventRelay } from './events/event-relay.ts'
import { createMeterWatches, type MeterWatches } from './events/meter-watches.ts'
import type { ProcessLog } from '@ergon/process'

export type RelayParts = {
  readonly config: Pick<Config, 'databaseUrl'>
  readonly log: ProcessLog
  readonly parts: AsyncDisposableStack
  readonly market: Pick<Market, 'everyEvent' | 'eventHorizon' | 'channelsOf'>
  readonly alarms: Alarms
}

/** What was committed, in this process and, over the database, in the others: events and meters. */
export async function openRelay({ config, log, parts, market, alarms }: RelayParts): Promise<{
  readonly relay: EventRelay
  readonly meters: MeterWatches
}> {
  const relay = parts.use(
    await startEventRelay({
      market,
      onError: (error) => {
        log.error({ err: error }, 'the event stream could not be read')
      },
    }),
  )
  const meters = parts.use(
    createMeterWatches({
      read: (taskIds) => market.channelsOf(taskIds),
      onError: (error) => {
        log.error({ err: error }, 'meters could not be read')
      },
    }),
  )
  const wake = (): void => {
    relay.poke()
    meters.poke()
  }
  const channel = parts.use(
    openWakeChannel({
      databaseUrl: config.databaseUrl,
      onWoken: wake,
      onError: (error) => {
        log.warn({ err: error }, 'the connection that tells of events ended')
      },
    }),
  )
  alarms.events = () => {
    wake()
    channel.tell()
  }
  return { relay, meters }
}
