import {
  addressBytes,
  computeLimitInstruction,
  distributeInstruction,
  openInstruction,
  reclaimInstruction,
  requestCloseInstruction,
  sealInstruction,
  settleAndSealInstruction,
  settleInstruction,
  systemProgram,
  topUpInstruction,
  withdrawPayerInstruction,
  type Instruction,
  type OpenTerms,
} from '@ergon/channels'
import { concatBytes, signEd25519 } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import {
  ata,
  buyer,
  createMachine,
  idOf,
  mint,
  opened,
  operator,
  party,
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
  type Machine,
  type Party,
} from './machine.ts'

const place = (channelId: string) => ({ channelId, payer: buyer.address, mint })
const settling = (id: string) => settleInstruction(id, programs)
const sharing = (id: string, changes: Partial<Parameters<typeof distributeInstruction>[0]> = {}) =>
  distributeInstruction(
    {
      ...place(id),
      payee: operator.address,
      rentPayer: operator.address,
      splits,
      treasuryOwner: treasury,
      ...changes,
    },
    programs,
  )

/** The same instruction with other bytes from a place on. */
function altered(instruction: Instruction, at: number, bytes: Uint8Array): Instruction {
  const data = instruction.data.slice()
  data.set(bytes, at)
  return { ...instruction, data }
}

/** The same instruction with another account in one place. */
function misplaced(instruction: Instruction, at: number, address: string): Instruction {
  const accounts = instruction.accounts.map((account, index) => (index === at ? { ...account, address } : account))
  return { ...instruction, accounts }
}

const openOf = (terms: OpenTerms) => openInstruction(terms, programs)
const u16 = (value: number) => Uint8Array.of(value & 0xff, value >> 8)
/** An opening whose splits are these bytes: `channels` writes no wrong ones. */
function openWithSplits(entries: readonly (readonly [Uint8Array, number])[], count = entries.length): Instruction {
  const opening = openOf(termsOf())
  const preimage = [Uint8Array.of(count, 0, 0, 0), ...entries.map(([key, bps]) => concatBytes(key, u16(bps)))]
  return { ...opening, data: concatBytes(opening.data.subarray(0, 29), ...preimage) }
}
const recipient = (byte: number) => addressBytes(party(byte).address)

describe('an opening is refused', () => {
  const refusals: readonly (readonly [string, number | null, () => Instruction])[] = [
    ['without a deposit', 200, () => openOf(termsOf({ deposit: 0n }))],
    ['without a grace period', 201, () => openOf(termsOf({ gracePeriodSec: 0 }))],
    ['for a slot to come', 2003, () => openOf(termsOf({ openSlot: 10_001n }))],
    ['for a slot too long ago', 2003, () => openOf(termsOf({ openSlot: 8_499n }))],
    ['at an address that its terms do not give', 2000, () => misplaced(openOf(termsOf()), 5, party(90).address)],
    ['with more than 32 splits', 260, () => openWithSplits([], 33)],
    ['with a share of nothing', 261, () => openWithSplits([[recipient(9), 0]])],
    [
      'with shares of more than the whole',
      261,
      () =>
        openWithSplits([
          [recipient(8), 9_000],
          [recipient(9), 1_001],
        ]),
    ],
    [
      'with one recipient twice',
      262,
      () =>
        openWithSplits([
          [recipient(9), 1],
          [recipient(9), 2],
        ]),
    ],
    ['with itself as a recipient', 263, () => openWithSplits([[addressBytes(idOf(termsOf())), 1]])],
    ['with splits that are cut short', null, () => openWithSplits([[recipient(9), 1]], 2)],
    ['with a mint that is none', 7, () => openOf(termsOf({ mint: party(91).address }))],
    ['with a voucher key that is no key', null, () => openOf(termsOf({ authorizedSigner: ata(worker.address) }))],
    ['with another system program', null, () => misplaced(openOf(termsOf()), 9, party(90).address)],
    ['with another event authority', null, () => misplaced(openOf(termsOf()), 12, party(90).address)],
    ['with more tokens than the payer has, by the token program', 1, () => openOf(termsOf({ deposit: 100_000_001n }))],
  ]
  test.each(refusals)('%s', (_, code, instruction) => {
    const machine = createMachine()
    const { error, code: answered } = machine.send([instruction()], [operator, buyer])
    expect(error).not.toBeNull()
    expect(answered).toBe(code)
    expect(machine.tokens(buyer.address)).toBe(100_000_000n)
  })

  test('to a payer who is the payee', () => {
    const machine = createMachine()
    const { error } = machine.send([openOf(termsOf({ payer: operator.address }))], [operator])
    expect(error).toContain('InvalidArgument')
  })

  test('a second time', () => {
    const machine = createMachine()
    opened(machine)
    machine.svm.expireBlockhash()
    expect(machine.send([openOf(termsOf())], [operator, buyer]).error).not.toBeNull()
    expect(machine.tokens(buyer.address)).toBe(90_000_000n)
  })

  test('at the edges of its window a slot is taken', () => {
    const machine = createMachine()
    for (const openSlot of [10_000n, 8_500n])
      expect(machine.send([openOf(termsOf({ openSlot }))], [operator, buyer]).error).toBeNull()
  })
})

describe('a voucher is refused', () => {
  const at = { magic: 112 }
  const refusals: readonly (readonly [string, number, (id: string, machine: Machine) => readonly Instruction[]])[] = [
    ['without a proof before it', 230, (id) => [settling(id)]],
    ['with something else before it', 230, (id) => [proof(id, 5n), computeLimitInstruction(100_000), settling(id)]],
    ['whose proof has the message elsewhere', 231, (id) => [rearranged(proof(id, 5n)), settling(id)]],
    ['of another channel', 232, (id, machine) => [proof(opened(machine, { salt: 8n }), 5n), settling(id)]],
    ['that has expired', 233, (id) => [proof(id, 5n, { expiresAt: startedAt }), settling(id)]],
    ['of nothing', 234, (id) => [proof(id, 0n), settling(id)]],
    ['above the deposit', 235, (id) => [proof(id, 10_000_001n), settling(id)]],
    ['signed by another', 237, (id) => [proof(id, 5n, { by: buyer }), settling(id)]],
  ]
  test.each(refusals)('%s', (_, code, instructions) => {
    const machine = createMachine()
    const id = opened(machine)
    const answered = machine.send(instructions(id, machine), [operator])
    expect(answered.code, answered.error ?? '').toBe(code)
    expect(machine.channel(id)?.settled).toBe(0n)
  })

  test('that repeats or goes back, and the edge of the deposit is taken', () => {
    const machine = createMachine()
    const id = opened(machine)
    expect(machine.send([proof(id, 9_999_999n), settling(id)], [stranger]).error).toBeNull()
    for (const cumulative of [9_999_999n, 9_999_998n])
      expect(machine.send([proof(id, cumulative), settling(id)], [operator]).code).toBe(234)
    const notExpired = proof(id, 10_000_000n, { expiresAt: startedAt + 1n })
    expect(machine.send([notExpired, settling(id)], [stranger]).error).toBeNull()
  })

  test('that does not begin with 56 01', () => {
    const machine = createMachine()
    const id = opened(machine)
    const voucher = proof(id, 5n)
    const message = voucher.data.slice(at.magic)
    message[1] = 2
    expect(machine.send([signedAgain(voucher, message), settling(id)], [operator]).code).toBe(238)
  })

  test('whose signature is forged, by the machine itself', () => {
    const machine = createMachine()
    const id = opened(machine)
    const forged = altered(proof(id, 5n), 48, new Uint8Array(64).fill(3))
    expect(machine.send([forged, settling(id)], [operator]).error).not.toBeNull()
    expect(machine.channel(id)?.settled).toBe(0n)
  })

  test('with an account in the place of the instructions sysvar', () => {
    const machine = createMachine()
    const id = opened(machine)
    const elsewhere = misplaced(settling(id), 1, stranger.address)
    expect(machine.send([proof(id, 5n), elsewhere], [operator]).error).toContain('InvalidArgument')
  })
})

describe('a party is refused', () => {
  const wrong: readonly (readonly [string, number, Party, (id: string) => Instruction])[] = [
    [
      'another payee seals',
      6,
      stranger,
      (id) => settleAndSealInstruction({ channelId: id, payee: stranger.address }, false, programs),
    ],
    [
      'another payer closes',
      5,
      stranger,
      (id) => requestCloseInstruction({ channelId: id, payer: stranger.address }, programs),
    ],
    ['an open channel is sealed', 2, stranger, (id) => sealInstruction(id, programs)],
    [
      'an open channel is reclaimed',
      2,
      stranger,
      (id) => reclaimInstruction({ channelId: id, rentPayer: operator.address }, programs),
    ],
    [
      'the rent is reclaimed by another',
      10,
      stranger,
      (id) => reclaimInstruction({ channelId: id, rentPayer: stranger.address }, programs),
    ],
    ['the payer withdraws from an open channel', 2, buyer, (id) => withdrawPayerInstruction(place(id), programs)],
    ['a channel with nothing settled is distributed', 2408, stranger, (id) => sharing(id)],
    [
      'it is distributed by other splits',
      2407,
      stranger,
      (id) => sharing(id, { splits: [{ recipient: stranger.address, bps: 8_700 }] }),
    ],
    ['another treasury is named', 2401, stranger, (id) => sharing(id, { treasuryOwner: stranger.address })],
    ['another payer is named', 5, stranger, (id) => misplaced(sharing(id), 1, stranger.address)],
    ['another rent payer is named', 10, stranger, (id) => misplaced(sharing(id), 2, stranger.address)],
    ['another mint is named', 7, stranger, (id) => misplaced(sharing(id), 7, stranger.address)],
    [
      'a top-up names another mint',
      7,
      buyer,
      (id) => misplaced(topUpInstruction(place(id), 1n, programs), 4, stranger.address),
    ],
  ]
  test.each(wrong)('%s', (_, code, signer, instruction) => {
    const machine = createMachine()
    const id = opened(machine)
    expect(machine.send([instruction(id)], [signer]).code).toBe(code)
    expect(machine.tokens(id)).toBe(10_000_000n)
  })

  test.each([3, 4, 5, 11])('no payout reaches an account that is not the derived one: place %i of distribute', (at) => {
    const machine = createMachine()
    const id = opened(machine)
    machine.giveTokens(stranger.address, 0n)
    machine.send([proof(id, 1_000_000n), settling(id)], [operator])
    expect(machine.send([misplaced(sharing(id), at, ata(stranger.address))], [stranger]).error).toContain(
      'InvalidSeeds',
    )
    expect(machine.tokens(stranger.address)).toBe(0n)
  })

  test('a signature that an instruction needs and lacks', () => {
    const machine = createMachine()
    const id = opened(machine)
    const unsigned = (instruction: Instruction): Instruction => ({
      ...instruction,
      accounts: instruction.accounts.map((account) => ({ ...account, signer: false })),
    })
    for (const instruction of [
      sealing(id, false),
      requestCloseInstruction(place(id), programs),
      topUpInstruction(place(id), 1n, programs),
      withdrawPayerInstruction(place(id), programs),
      openOf(termsOf({ salt: 9n })),
    ])
      expect(machine.send([unsigned(instruction)], [stranger]).error).toContain('MissingRequiredSignature')
  })

  test('rent before its time, and twice', () => {
    const machine = createMachine()
    const id = opened(machine)
    const back = reclaimInstruction({ channelId: id, rentPayer: operator.address }, programs)
    machine.send([sealing(id, false), sharing(id)], [operator])
    machine.setTime(startedAt, 11_490n)
    expect(machine.send([back], [stranger]).code).toBe(2414)
    machine.setTime(startedAt, 11_491n)
    expect(machine.send([back], [stranger]).error).toBeNull()
    expect(machine.send([back], [operator]).error).not.toBeNull()
  })

  test('everything on a sealed or distributed channel but what that state allows', () => {
    const machine = createMachine()
    const id = opened(machine)
    machine.send([sealing(id, false)], [operator])
    const tries = () => [
      machine.send([proof(id, 5n), settling(id)], [operator]).code,
      machine.send([proof(id, 5n), sealing(id, true)], [operator]).code,
      machine.send([requestCloseInstruction(place(id), programs)], [buyer]).code,
      machine.send([topUpInstruction(place(id), 1n, programs)], [buyer]).code,
      machine.send([sealInstruction(id, programs)], [stranger]).code,
    ]
    expect(tries()).toEqual([2, 2, 2, 2, 2])
    machine.send([sharing(id)], [stranger])
    expect(tries()).toEqual([2, 2, 2, 2, 2])
    expect(machine.send([sharing(id)], [buyer]).code).toBe(2)
  })
})

describe('bytes that are no instruction', () => {
  test('an unknown number, no data, a byte too many or too few', () => {
    const machine = createMachine()
    const id = opened(machine)
    const bare = { program: programs.channelProgram, accounts: [], data: new Uint8Array() }
    const tooLong = { ...settling(id), data: Uint8Array.of(2, 0) }
    const flag = { ...sealing(id, false), data: Uint8Array.of(4, 2) }
    const event = { ...bare, data: Uint8Array.of(228) }
    for (const instruction of [bare, tooLong, flag, event, { ...bare, data: Uint8Array.of(10) }])
      expect(machine.send([instruction], [operator]).error).toContain('InvalidInstructionData')
    const short = { ...sharing(id), accounts: sharing(id).accounts.slice(0, 11) }
    expect(machine.send([short], [operator]).error).toContain('NotEnoughAccountKeys')
  })

  test('an account too few', () => {
    const machine = createMachine()
    const id = opened(machine)
    const back = reclaimInstruction({ channelId: id, rentPayer: operator.address }, programs)
    const all = [openOf(termsOf({ salt: 9n })), settling(id), topUpInstruction(place(id), 1n, programs), back]
    const rest = [sealing(id, false), requestCloseInstruction(place(id), programs), sealInstruction(id, programs)]
    for (const instruction of [...all, ...rest, sharing(id), withdrawPayerInstruction(place(id), programs)]) {
      const accounts = instruction.accounts.slice(0, -1)
      const { error } = machine.send([{ ...instruction, accounts }], [operator, buyer])
      expect(error).toContain('NotEnoughAccountKeys')
    }
  })

  test('an account of another program, and one that only looks like a channel', () => {
    const machine = createMachine()
    const id = opened(machine)
    const data = machine.svm.getAccount(id as never)
    const copy = party(80).address
    machine.put(copy, systemProgram, data.exists ? data.data : new Uint8Array())
    expect(machine.send([sealInstruction(copy, programs)], [stranger]).error).toContain('IncorrectProgramId')
    for (const length of [255, 257, 512]) {
      machine.put(copy, programs.channelProgram, Buffer.concat([data.exists ? data.data : Buffer.alloc(0)], length))
      expect(machine.send([sealInstruction(copy, programs)], [stranger]).error).toContain('InvalidAccountData')
    }
    machine.put(copy, programs.channelProgram, new Uint8Array(256))
    expect(machine.send([sealInstruction(copy, programs)], [stranger]).error).toContain('InvalidAccountData')
  })
})

/** The same proof with its message 8 bytes later: valid to the precompile, not the canonical form. */
function rearranged({ data, ...rest }: Instruction): Instruction {
  const moved = concatBytes(data.subarray(0, 112), new Uint8Array(8), data.subarray(112))
  moved[10] = 120
  return { ...rest, data: moved }
}

/** The proof of other bytes by the channel's own key. */
function signedAgain(instruction: Instruction, message: Uint8Array): Instruction {
  return altered(altered(instruction, 48, signEd25519(message, voucherKey.seed)), 112, message)
}
