import { describe, expect, test } from 'vitest'
import { ago, audited, told, type AuditGiven } from '../testing/scripted-audit.ts'
import type { Script } from '../testing/scripted-deps.ts'
import { capture, charge, moved, payment, settlementOf } from '../testing/scripted-money.ts'

describe('a transaction that we named', () => {
  const proofs = (...settlements: readonly object[]): Script => ({ leaseProofs: settlements })
  const named = (change: object = {}) => ({
    ...settlementOf('release', capture()),
    status: 'confirmed',
    txHash: '0xnamed',
    createdAt: ago(86_399_999),
    ...change,
  })
  const booked = { movements: [moved('captured', 1n), { ...moved('captured', 1n), settlementId: 'settlement' }] }
  const unbooked = { movements: [{ ...moved('captured', 1n), settlementId: 'other' }] }
  const paid = named({ ...settlementOf('payout', charge()), status: 'confirmed', txHash: '0xnamed' })
  test.each<[string, AuditGiven, readonly string[]]>([
    [
      'is there, and is looked for again',
      { script: proofs(named(), named({ id: 'old', createdAt: ago(86_400_000) })) },
      [
        'proveAt [settlement] 2026-11-21T12:10:00.000Z',
        'proveAt [old] 2026-12-21T12:00:00.000Z',
        'reportFindings [proof:settlement,proof:old,ledger,settlements,names,following] [] now',
      ],
    ],
    [
      'is there no more',
      { script: { ...proofs(named()), ...booked }, proof: 'absent' },
      [
        'transaction',
        'movements localnet hash',
        'reportFindings [proof:settlement,ledger,settlements,names,following] [{subject:0xnamed,taskId:task,settlementId:settlement,network:localnet,asset:USDC,atomic:10000000n,kind:reorged,detail:the transaction of this release is no longer on chain,scope:proof:settlement}] now',
      ],
    ],
    [
      'is there no more, as the books say',
      { script: { ...proofs(named()), ...unbooked }, proof: 'absent' },
      [
        'transaction',
        'movements localnet hash',
        'proveAt [settlement] 2026-11-21T12:10:00.000Z',
        'reportFindings [proof:settlement,ledger,settlements,names,following] [] now',
      ],
    ],
    [
      'is there no more, of a direct payment',
      { script: { ...proofs(paid), ...unbooked }, proof: 'absent' },
      [
        'reportFindings [proof:settlement,ledger,settlements,names,following] [{subject:0xnamed,taskId:task,settlementId:settlement,network:localnet,asset:USDC,atomic:8700000n,kind:reorged,detail:the transaction of this payout is no longer on chain,scope:proof:settlement}] now',
      ],
    ],
    [
      'shows something else',
      { script: proofs(named()), proof: 'otherwise' },
      [
        'reportFindings [proof:settlement,ledger,settlements,names,following] [{subject:0xnamed,taskId:task,settlementId:settlement,network:localnet,asset:USDC,atomic:10000000n,kind:mismatch,detail:the transaction of this release does not show what was booked,scope:proof:settlement}] now',
      ],
    ],
    [
      'cannot be read',
      { script: proofs(named()), proof: null },
      ['reportFindings [ledger,settlements,names,following] [] now'],
    ],
  ])('%s', async (_what, given, lines) => {
    expect(told(await audited(given))).toEqual(lines)
  })
})

describe('all payments of a token together', () => {
  const sums = (change: object = {}) => ({
    asset: payment.asset,
    locked: 10n,
    leaving: 0n,
    fees: 0n,
    isSweeping: false,
    ...change,
  })
  const other = { asset: { ...payment.asset, symbol: 'EURC' } }
  const summed = (before: readonly object[], later = before): Script => {
    let asked = 0
    return { leaseAudit: { sums: true }, heldSums: () => ((asked += 1) === 1 ? before : later) }
  }
  test.each<[string, AuditGiven, readonly string[]]>([
    [
      'agree with what the contracts hold',
      { script: () => summed([sums()]) },
      [
        'heldSums 2026-11-21T11:45:00.000Z',
        'heldSums 2026-11-21T11:45:00.000Z',
        'reportFindings [sums:localnet:USDC,ledger,settlements,names,following] [] now',
      ],
    ],
    [
      'are more than that',
      { script: () => summed([sums({ locked: 11n }), sums({ ...other, locked: 12n })]) },
      [
        'heldSums 2026-11-21T11:45:00.000Z',
        'heldSums 2026-11-21T11:45:00.000Z',
        'reportFindings [sums:localnet:USDC,sums:localnet:EURC,ledger,settlements,names,following] [{kind:mismatch,subject:escrow,taskId:null,settlementId:null,network:localnet,asset:USDC,atomic:1n,detail:the ledger says the escrow holds 11, the chain 10,scope:sums:localnet:USDC},{kind:mismatch,subject:escrow,taskId:null,settlementId:null,network:localnet,asset:{symbol:EURC,network:localnet,decimals:6},atomic:2n,detail:the ledger says the escrow holds 12, the chain 10,scope:sums:localnet:EURC}] now',
      ],
    ],
    [
      'cannot be read',
      { script: () => summed([sums()]), holdings: null },
      [
        'heldSums 2026-11-21T11:45:00.000Z',
        'heldSums 2026-11-21T11:45:00.000Z',
        'reportFindings [ledger,settlements,names,following] [] now',
      ],
    ],
    [
      'are gone by then',
      { script: () => summed([sums()], [sums(other)]) },
      [
        'heldSums 2026-11-21T11:45:00.000Z',
        'heldSums 2026-11-21T11:45:00.000Z',
        'reportFindings [ledger,settlements,names,following] [] now',
      ],
    ],
    [
      'are not asked of channels',
      { script: () => summed([sums({ locked: 11n })]), channels: { network: 'localnet' } },
      ['reportFindings [ledger,settlements,names,following] [] now'],
    ],
  ])('%s', async (_what, given, lines) => {
    expect(told(await audited(given))).toEqual(lines)
  })
})
