import {
  distributeInstruction,
  openInstruction,
  reclaimInstruction,
  requestCloseInstruction,
  sealInstruction,
  settleInstruction,
  splitsHash,
  topUpInstruction,
  withdrawPayerInstruction,
} from '@ergon/channels'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ata,
  buyer,
  createMachine,
  idOf,
  mint,
  opened,
  operator,
  programs,
  proof,
  sealing,
  splits,
  startedAt,
  stranger,
  termsOf,
  treasury,
  voucherKey,
  worker,
} from './machine.ts'

const place = (channelId: string) => ({ channelId, payer: buyer.address, mint })
const sharing = (channelId: string) =>
  distributeInstruction(
    { ...place(channelId), payee: operator.address, rentPayer: operator.address, splits, treasuryOwner: treasury },
    programs,
  )

describe('the life of a channel', () => {
  test('open locks the deposit and writes what was agreed', () => {
    const machine = createMachine()
    const id = opened(machine)
    expect(machine.channel(id)).toMatchObject({
      status: 'open',
      deposit: 10_000_000n,
      settled: 0n,
      payoutWatermark: 0n,
      gracePeriodSec: 900,
      distributionHash: splitsHash(splits),
      payer: buyer.address,
      payee: operator.address,
      authorizedSigner: voucherKey.address,
      mint,
      rentPayer: operator.address,
      salt: 7n,
      openSlot: 9_990n,
    })
    expect(machine.tokens(id)).toBe(10_000_000n)
    expect(machine.tokens(buyer.address)).toBe(90_000_000n)
  })

  test('a settled channel pays 87 to 13 in one transaction, refunds the rest and gives its rent back', () => {
    const machine = createMachine()
    const before = machine.lamports(operator.address)
    const id = opened(machine)
    const end = machine.send([proof(id, 7_654_321n), sealing(id, true), sharing(id)], [operator])
    expect(end).toMatchObject({ error: null })
    expect(machine.tokens(worker.address)).toBe(6_659_259n)
    expect(machine.tokens(operator.address)).toBe(995_061n)
    expect(machine.tokens(treasury)).toBe(1n)
    expect(machine.tokens(buyer.address)).toBe(92_345_679n)
    expect(machine.tokens(id)).toBeUndefined()
    expect(machine.channel(id)?.status).toBe('distributed')
    machine.setTime(startedAt, 11_491n)
    expect(
      machine.send([reclaimInstruction({ channelId: id, rentPayer: operator.address }, programs)], [stranger]),
    ).toMatchObject({ error: null })
    expect(machine.channel(id)).toBeUndefined()
    // Two signatures of the opening and two of the end, each 5,000 lamports.
    expect(machine.lamports(operator.address)).toBe(before - 20_000n)
  })

  test('settlements of a running channel add up to what one settlement would have paid', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 1n, max: 999_999n }), { minLength: 1, maxLength: 5 }), (steps) => {
        const machine = createMachine()
        const id = opened(machine)
        let settled = 0n
        for (const step of steps) {
          settled += step
          const { error } = machine.send([proof(id, settled), settleInstruction(id, programs), sharing(id)], [stranger])
          expect(error).toBeNull()
        }
        expect(machine.tokens(worker.address)).toBe((settled * 8_700n) / 10_000n)
        expect(machine.tokens(operator.address)).toBe((settled * 1_300n) / 10_000n)
        expect(machine.send([sealing(id, false), sharing(id)], [operator]).error).toBeNull()
        expect(machine.tokens(buyer.address)).toBe(100_000_000n - settled)
        const paid = [worker.address, operator.address, treasury].map((owner) => machine.tokens(owner) ?? 0n)
        expect(paid.reduce((sum, amount) => sum + amount, 0n)).toBe(settled)
      }),
      { numRuns: 20 },
    )
  })

  test('the payer leaves alone: it asks, waits, seals and has its deposit back', () => {
    const machine = createMachine()
    const id = opened(machine)
    expect(machine.send([requestCloseInstruction(place(id), programs)], [buyer]).error).toBeNull()
    expect(machine.channel(id)).toMatchObject({ status: 'closing', closureStartedAt: startedAt })
    machine.setTime(startedAt + 899n)
    expect(machine.send([sealInstruction(id, programs)], [buyer]).code).toBe(2201)
    machine.setTime(startedAt + 900n)
    expect(machine.send([sealInstruction(id, programs), sharing(id)], [buyer]).error).toBeNull()
    expect(machine.tokens(buyer.address)).toBe(100_000_000n)
  })

  test('within the grace period the payee still brings the last voucher, and after it no more', () => {
    const machine = createMachine()
    const [id, late] = [opened(machine), opened(machine, { salt: 8n })]
    for (const channel of [id, late]) machine.send([requestCloseInstruction(place(channel), programs)], [buyer])
    expect(machine.send([proof(id, 1n), settleInstruction(id, programs)], [operator]).code).toBe(2)
    machine.setTime(startedAt + 899n)
    expect(machine.send([proof(id, 5n), sealing(id, true)], [operator]).error).toBeNull()
    machine.setTime(startedAt + 900n)
    expect(machine.send([proof(late, 5n), sealing(late, true)], [operator]).code).toBe(2)
  })

  test('the payer takes its rest out of a sealed channel once, and distributing later refunds nothing twice', () => {
    const machine = createMachine()
    const id = opened(machine)
    machine.send([proof(id, 4_000_000n), sealing(id, true)], [operator])
    expect(machine.send([withdrawPayerInstruction(place(id), programs)], [buyer]).error).toBeNull()
    expect(machine.tokens(buyer.address)).toBe(96_000_000n)
    machine.setTime(startedAt + 1n)
    expect(machine.send([withdrawPayerInstruction(place(id), programs)], [buyer]).code).toBe(2)
    expect(machine.send([sharing(id)], [stranger]).error).toBeNull()
    expect(machine.tokens(buyer.address)).toBe(96_000_000n)
    expect(machine.tokens(worker.address)).toBe(3_480_000n)
  })

  test('a deposit is raised while the channel is open, and only by its payer', () => {
    const machine = createMachine()
    const id = opened(machine)
    expect(machine.send([topUpInstruction(place(id), 5n, programs)], [buyer]).error).toBeNull()
    expect(machine.channel(id)?.deposit).toBe(10_000_005n)
    const foreign = topUpInstruction({ ...place(id), payer: stranger.address }, 5n, programs)
    machine.giveTokens(stranger.address, 5n)
    expect(machine.send([foreign], [stranger]).code).toBe(5)
    expect(machine.send([topUpInstruction(place(id), 0n, programs)], [buyer]).code).toBe(200)
    machine.send([requestCloseInstruction(place(id), programs)], [buyer])
    expect(machine.send([topUpInstruction(place(id), 6n, programs)], [buyer]).code).toBe(2)
  })

  test('long after its opening a channel is taken off the ledger by distributing', () => {
    const machine = createMachine()
    const id = opened(machine)
    machine.setTime(startedAt, 11_491n)
    expect(machine.send([sealing(id, false), sharing(id)], [operator]).error).toBeNull()
    expect(machine.channel(id)).toBeUndefined()
    expect(machine.lamports(id)).toBe(0n)
  })
})

describe('who cannot be paid', () => {
  test.each([
    ['missing', undefined],
    ['frozen', true],
  ])('a worker whose token account is %s forfeits its share to the treasury', (_, frozen) => {
    const machine = createMachine()
    const id = opened(machine)
    if (frozen === undefined) machine.put(ata(worker.address), '11111111111111111111111111111111', new Uint8Array(), 0n)
    else machine.giveTokens(worker.address, 0n, frozen)
    expect(machine.send([proof(id, 1_000_000n), sealing(id, true), sharing(id)], [operator]).error).toBeNull()
    expect(machine.tokens(treasury)).toBe(870_000n)
    expect(machine.tokens(operator.address)).toBe(130_000n)
  })

  test('distributing makes no account, and without the treasury’s it fails whole', () => {
    const machine = createMachine()
    const id = opened(machine)
    for (const owner of [worker.address, treasury])
      machine.put(ata(owner), '11111111111111111111111111111111', new Uint8Array(), 0n)
    machine.send([proof(id, 1_000_000n), sealing(id, true)], [operator])
    expect(machine.send([sharing(id)], [stranger]).code).toBe(2401)
    expect(machine.tokens(operator.address)).toBe(0n)
    expect(machine.tokens(id)).toBe(10_000_000n)
  })

  test('tokens that a stranger sent to the escrow go to the treasury, not to a party', () => {
    const machine = createMachine()
    const id = opened(machine)
    machine.giveTokens(id, 10_000_123n)
    expect(machine.send([sealing(id, false), sharing(id)], [operator]).error).toBeNull()
    expect(machine.tokens(treasury)).toBe(123n)
    expect(machine.tokens(buyer.address)).toBe(100_000_000n)
  })
})

test('lamports or an escrow account put at the address beforehand keep no channel from opening', () => {
  for (const lamports of [1n, 2_000_000n, 50_000_000n]) {
    const machine = createMachine()
    const terms = termsOf()
    machine.put(idOf(terms), '11111111111111111111111111111111', new Uint8Array(), lamports)
    machine.giveTokens(idOf(terms), 0n)
    expect(machine.send([openInstruction(terms, programs)], [operator, buyer])).toMatchObject({ error: null })
    expect(machine.channel(idOf(terms))?.status).toBe('open')
  }
})
