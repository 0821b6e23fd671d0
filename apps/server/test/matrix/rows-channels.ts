import { bindFields, ledgerKey } from '../http/live-channels.ts'
import type { Verdicts } from './roles.ts'
import type { Rows } from './rows.ts'

const everybody = { stranger: 'ok' } as const satisfies Verdicts
const bothSides = { stranger: 'FORBIDDEN', worker: 'ok', publisher: 'ok' } as const satisfies Verdicts

/** Tasks that are paid by the unit, and the channels that fund them. */
export const channelRows = {
  'channels.offer': {
    stranger: 'FORBIDDEN',
    publisher: 'ok',
    on: 'metered',
    fields: () => ({ payer: ledgerKey().address }),
  },
  'channels.open': {
    stranger: 'FORBIDDEN',
    publisher: 'ok',
    on: 'metered',
    fields: async ({ publisher }, { task_id = '' }) => {
      const payer = ledgerKey().address
      const offer = await publisher.call('GET', `/api/v1/tasks/${task_id}/channel/offer?payer=${payer}`)
      return { payer, transaction: offer.status === 200 ? String(offer.body['transaction']) : 'AAAA' }
    },
  },
  'channels.close': { ...bothSides, on: 'ticking' },
  // Whose key it is is asked first: a stranger proves a key of its own, and has no task.
  'channels.bind': {
    stranger: 'FORBIDDEN',
    publisher: 'ok',
    on: 'metered',
    fields: ({ parties, publisher, scene }, { task_id = '', payout = '' }, role) => {
      const payer = ledgerKey()
      const channelId = ledgerKey().address
      scene.channels.kept.set(channelId, { payer: payer.address, worker: payout, deposit: 5_000n })
      const by =
        role in parties
          ? parties[role as keyof typeof parties]
          : role === 'strangerSession'
            ? parties.stranger
            : publisher
      return bindFields({ publisher: by, taskId: task_id, channelId, payer })
    },
  },
  'channels.get': { ...bothSides, on: 'ticking' },
  'channels.tick': { ...bothSides, on: 'ticking', fields: () => ({ evidence: { boats: 1 } }) },
  'meters.get': { ...everybody, on: 'ticking' },
  'meters.stream': { ...everybody, on: 'ticking' },
  'taximetro.stream': { ...bothSides, on: 'ticking' },
  'taximetro.history': { ...bothSides, on: 'ticking' },
  'taximetro.health': everybody,
  'meters.channel': { ...everybody, on: 'ticking' },
  'streams.start': {
    stranger: 'ok',
    // Nobody pays itself.
    worker: 'SELF_PAYMENT_BLOCKED',
    fields: (_world, { executor_id = '' }) => ({ executor_id, price_per_unit: '1', cap_usd: '5' }),
    on: 'streaming',
  },
  'streams.list': everybody,
  'streams.get': { ...everybody, on: 'streaming' },
  'streams.tick': { ...bothSides, on: 'streaming', fields: () => ({ evidence: { boats: 1 } }) },
  'streams.stop': { ...bothSides, on: 'streaming' },
  'streams.stream': { ...everybody, on: 'streaming' },
} satisfies Partial<Rows>
