import { describe, expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import { channel } from '../testing/scripted-channels.ts'
import { linesOf, scriptedDeps, type Script } from '../testing/scripted-deps.ts'
import { auditChannels } from './audit-channels.ts'

type Given = { readonly script?: Script; readonly shown?: object | 'unread' | 'down' }
const open = { state: 'open', deposit: 900n, settled: 0n }

async function audited({ script = {}, shown = open }: Given): Promise<readonly string[]> {
  const ledger = {
    channel: () =>
      shown === 'unread'
        ? Promise.reject(new MarketError('channel_unreadable'))
        : shown === 'down'
          ? Promise.reject(new Error('down'))
          : Promise.resolve(shown),
  }
  const answers = { leaseChannelAudits: [channel()], ledgerBalance: 900n, channel: channel(), ...script }
  const { deps, asked } = scriptedDeps(answers, { channels: { ledger } } as never)
  expect(await auditChannels(deps)).toBe(0)
  return linesOf(asked)
}

describe('what the books hold of a channel is held against its ledger', () => {
  test.each<[string, Given, readonly string[]]>([
    [
      'and agrees',
      {},
      [
        'leaseChannelAudits now 2026-11-21T12:01:00.000Z 100',
        'transaction',
        'ledgerBalance {symbol:USDC,network:solana,decimals:6} channel:channel',
        'channel channel',
        'reportFindings [channel:channel] [] now',
      ],
    ],
    [
      'and differs',
      { script: { ledgerBalance: 800n } },
      [
        'leaseChannelAudits now 2026-11-21T12:01:00.000Z 100',
        'transaction',
        'ledgerBalance {symbol:USDC,network:solana,decimals:6} channel:channel',
        'channel channel',
        'reportFindings [channel:channel] [{kind:mismatch,subject:channel:channel,taskId:task,settlementId:null,network:solana,asset:{symbol:USDC,network:solana,decimals:6},atomic:-100n,detail:the books hold 800 of it,scope:channel:channel}] now',
      ],
    ],
    ['and cannot be read', { shown: 'unread' }, ['leaseChannelAudits now 2026-11-21T12:01:00.000Z 100']],
    [
      'and moved meanwhile',
      { script: { channel: channel({ status: 'closing' }), ledgerBalance: 800n } },
      [
        'leaseChannelAudits now 2026-11-21T12:01:00.000Z 100',
        'transaction',
        'ledgerBalance {symbol:USDC,network:solana,decimals:6} channel:channel',
        'channel channel',
      ],
    ],
    [
      'and is gone',
      { script: { channel: null } },
      [
        'leaseChannelAudits now 2026-11-21T12:01:00.000Z 100',
        'transaction',
        'ledgerBalance {symbol:USDC,network:solana,decimals:6} channel:channel',
        'channel channel',
      ],
    ],
    [
      'of several, the first of which moved',
      {
        script: {
          leaseChannelAudits: [channel({ status: 'closing' }), channel({ id: 'second' })],
          ledgerBalance: 800n,
        },
      },
      [
        'leaseChannelAudits now 2026-11-21T12:01:00.000Z 100',
        'transaction',
        'ledgerBalance {symbol:USDC,network:solana,decimals:6} channel:channel',
        'transaction',
        'ledgerBalance {symbol:USDC,network:solana,decimals:6} channel:second',
        'channel channel',
        'channel second',
        'reportFindings [channel:second] [{kind:mismatch,subject:channel:channel,taskId:task,settlementId:null,network:solana,asset:{symbol:USDC,network:solana,decimals:6},atomic:-100n,detail:the books hold 800 of it,scope:channel:second}] now',
      ],
    ],
    ['of none', { script: { leaseChannelAudits: [] } }, ['leaseChannelAudits now 2026-11-21T12:01:00.000Z 100']],
  ])('%s', async (_what, given, lines) => {
    expect(await audited(given)).toEqual(lines)
  })
  test('a fault of ours is not hidden', async () => {
    await expect(audited({ shown: 'down' })).rejects.toThrow('down')
  })
  test('where channels are kept', async () => {
    const { deps, asked } = scriptedDeps()
    expect(await auditChannels(deps)).toBe(0)
    expect(asked).toEqual([])
  })
})
