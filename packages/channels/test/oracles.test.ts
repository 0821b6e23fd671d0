import { toBase58 } from '@ergon/protocols'
import * as kit from '@solana/kit'
import { UptoSvmScheme as PublicClient } from '@x402/svm/upto/client'
import { UptoSvmScheme as PublicFacilitator } from '@x402/svm/upto/facilitator'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  associatedTokenAccount,
  channelAddress,
  computeLimitInstruction,
  computePriceInstruction,
  decodeTransaction,
  derivedAddress,
  encodeMessage,
  encodeTransaction,
  mainnetChannelProgram,
  openInstruction,
  signTransaction,
  tokenProgram,
  unsignedTransaction,
  verifyOpen,
  type AgreedOpen,
  type Instruction,
} from '../src/index.ts'
import { blockhash, buyer, filled, operator, place, terms, usdc, voucherKey, worker } from './opening.ts'

const roleOf = ({ signer, writable }: { signer: boolean; writable: boolean }): kit.AccountRole =>
  signer
    ? writable
      ? kit.AccountRole.WRITABLE_SIGNER
      : kit.AccountRole.READONLY_SIGNER
    : writable
      ? kit.AccountRole.WRITABLE
      : kit.AccountRole.READONLY

/** Small numbers of accounts, so that instructions share them. */
const someAddress = fc.integer({ min: 1, max: 6 }).map(place)
const someInstruction = fc.record({
  program: fc.integer({ min: 101, max: 104 }).map(place),
  accounts: fc.array(fc.record({ address: someAddress, signer: fc.boolean(), writable: fc.boolean() }), {
    maxLength: 9,
  }),
  data: fc.uint8Array({ maxLength: 60 }),
})
const someInstructions = fc.array(someInstruction, { maxLength: 4 })

describe('kit reads what we write, and we read what kit writes', () => {
  test('messages of version 0', () => {
    fc.assert(
      fc.property(someInstructions, (instructions) => {
        const bytes = encodeMessage(place(50), blockhash, instructions)
        const message = kit.getCompiledTransactionMessageDecoder().decode(bytes)
        if (message.version !== 0) throw new Error('the message is of version 0')
        expect(message.staticAccounts[0]).toBe(place(50))
        expect(message.lifetimeToken).toBe(blockhash)
        const { accounts } = unsignedTransaction(place(50), blockhash, instructions).message
        const read = message.instructions.map((one) => ({
          program: message.staticAccounts[one.programAddressIndex],
          accounts: (one.accountIndices ?? []).map((index) => message.staticAccounts[index]),
          data: new Uint8Array(one.data ?? []),
        }))
        expect(read).toEqual(
          instructions.map((one) => ({ ...one, accounts: one.accounts.map(({ address }) => address) })),
        )
        expect(accounts.map(({ address }) => address)).toEqual(message.staticAccounts)
        expect(message.header).toEqual({
          numSignerAccounts: accounts.filter(({ signer }) => signer).length,
          numReadonlySignerAccounts: accounts.filter(({ signer, writable }) => signer && !writable).length,
          numReadonlyNonSignerAccounts: accounts.filter(({ signer, writable }) => !signer && !writable).length,
        })
      }),
    )
  })

  test.each(['legacy', 0] as const)('transactions of version %s', (version) => {
    fc.assert(
      fc.property(someInstructions, (instructions) => {
        const message = kit.pipe(
          kit.createTransactionMessage({ version }),
          (empty) => kit.setTransactionMessageFeePayer(kit.address(place(50)), empty),
          (paid) =>
            kit.setTransactionMessageLifetimeUsingBlockhash(
              { blockhash: kit.blockhash(blockhash), lastValidBlockHeight: 1n },
              paid,
            ),
          (dated) => kit.appendTransactionMessageInstructions(instructions.map(forKit), dated),
        )
        const compiled = kit.compileTransaction(message)
        const wire = new Uint8Array(kit.getTransactionEncoder().encode(compiled))
        const { message: read, signatures } = decodeTransaction(wire)
        expect(read).toMatchObject({ feePayer: place(50), blockhash, lookupTables: 0 })
        expect(read.instructions.map(shapeOf)).toEqual(instructions.map(shapeOf))
        expect(signatures.every((signature) => signature === null)).toBe(true)
        for (const { address, signer, writable } of instructions.flatMap(({ accounts }) => accounts))
          expect(
            read.accounts.some((one) => one.address === address && one.signer >= signer && one.writable >= writable),
          ).toBe(true)
        expect(encodeTransaction(decodeTransaction(wire))).toEqual(wire)
      }),
      { numRuns: 50 },
    )
  })

  test('addresses that programs derive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 32 }), { maxLength: 5 }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toBase58),
        async (seeds, program) => {
          const [address, bump] = await kit.getProgramDerivedAddress({ programAddress: kit.address(program), seeds })
          expect(derivedAddress(seeds, program)).toEqual({ address, bump })
        },
      ),
      { numRuns: 50 },
    )
  })

  test('signatures', async () => {
    const transaction = unsignedTransaction(operator, blockhash, [
      openInstruction(terms, { channelProgram: mainnetChannelProgram }),
    ])
    const ours = signTransaction(
      transaction,
      new Map([
        [buyer, filled(2)],
        [operator, filled(1)],
      ]),
    )
    const pairs = await Promise.all([1, 2].map((byte) => kit.createKeyPairFromPrivateKeyBytes(filled(byte))))
    const unsigned = kit.getTransactionDecoder().decode(encodeTransaction(transaction))
    const theirs = await kit.partiallySignTransaction(pairs, unsigned)
    expect(encodeTransaction(ours)).toEqual(new Uint8Array(kit.getTransactionEncoder().encode(theirs)))
  })
})

/** The terms of the public scheme: the facilitator is the payee and keeps nothing. */
const requirements = {
  scheme: 'upto',
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' as const,
  asset: usdc,
  amount: '5000000',
  payTo: worker,
  maxTimeoutSeconds: 300,
  extra: {
    feePayer: operator,
    receiverAuthorizer: voucherKey,
    withdrawDelay: 900,
    tokenProgram,
    recentBlockhash: blockhash,
    recentSlot: '1100',
  },
}
const agreed: AgreedOpen = {
  channelProgram: mainnetChannelProgram,
  payer: buyer,
  payee: operator,
  mint: usdc,
  authorizedSigner: voucherKey,
  operator,
  gracePeriodSec: 900,
  splits: [{ recipient: worker, bps: 10_000 }],
  leastDeposit: 5_000_000n,
  mostDeposit: 5_000_000n,
  slot: 1_100n,
  blockhash,
  mostPriorityLamports: 10_000n,
}

/** What the public client makes of a payment; the parts a verifier reads. */
type Opened = {
  readonly channelId: string
  readonly nonce: string
  readonly openSlot: string
  readonly openTransaction: string
}

async function openByPublicClient(): Promise<Opened> {
  const client = new PublicClient(await kit.createKeyPairSignerFromPrivateKeyBytes(filled(2)))
  const { payload } = await client.createPaymentPayload(2, requirements)
  // The payload of this scheme, as the public package writes it.
  return payload as Opened
}

/** What the public verifier says about a payment. It never asks the ledger where the offer names slot and blockhash. */
async function verdict(payload: object): Promise<{ readonly isValid: boolean; readonly invalidMessage?: string }> {
  const unasked = (): never => {
    throw new Error('nobody asks the ledger')
  }
  const signer = await kit.createKeyPairSignerFromPrivateKeyBytes(filled(1))
  const facilitator = new PublicFacilitator({
    getAddresses: () => [signer.address],
    getSigner: () => signer,
    signTransaction: unasked,
    simulateTransaction: unasked,
    sendTransaction: unasked,
    confirmTransaction: unasked,
    getAccountInfo: unasked,
    getLatestBlockhash: unasked,
    getSlot: unasked,
  })
  const resource = { url: 'https://example.org/', description: '', mimeType: '' }
  // Its type wants a payload by name; what we hand in is one.
  const payment = { x402Version: 2, resource, accepted: requirements, payload } as Parameters<
    PublicFacilitator['verify']
  >[0]
  return facilitator.verify(payment, requirements)
}

describe('the public client and verifier of the mainnet program', () => {
  test('what the client opens is what we read in it, and the channel is the one it names', async () => {
    const opened = await openByPublicClient()
    const read = verifyOpen(new Uint8Array(Buffer.from(opened.openTransaction, 'base64')), agreed)
    expect(read).toMatchObject({
      channelId: opened.channelId,
      salt: BigInt(opened.nonce),
      openSlot: BigInt(opened.openSlot),
      deposit: 5_000_000n,
    })
    expect(channelAddress(read, mainnetChannelProgram).address).toBe(opened.channelId)
  })

  test('what we open, its verifier takes', async () => {
    const open = { ...terms, splits: agreed.splits }
    const transaction = signTransaction(
      unsignedTransaction(operator, blockhash, [
        computeLimitInstruction(100_000),
        computePriceInstruction(1n),
        openInstruction(open, agreed),
      ]),
      new Map([[buyer, filled(2)]]),
    )
    const now = Math.floor(Date.now() / 1_000)
    const payload = {
      channelId: channelAddress(open, mainnetChannelProgram).address,
      deposit: '5000000',
      maxAmount: '5000000',
      expiresAt: now + 300,
      validAfter: now - 1,
      from: buyer,
      nonce: open.salt.toString(),
      openSlot: open.openSlot.toString(),
      openTransaction: Buffer.from(encodeTransaction(transaction)).toString('base64'),
      authorizedSigner: voucherKey,
    }
    expect(await verdict(payload)).toMatchObject({ isValid: true, payer: buyer })
    const other = { ...payload, channelId: place(9) }
    expect(await verdict(other)).toMatchObject({ isValid: false })
  })

  test('both refuse one instruction more', async () => {
    const opened = await openByPublicClient()
    const { message } = decodeTransaction(new Uint8Array(Buffer.from(opened.openTransaction, 'base64')))
    const more: Instruction = {
      program: tokenProgram,
      accounts: [{ address: associatedTokenAccount(buyer, usdc), signer: false, writable: true }],
      data: Uint8Array.of(9),
    }
    const grown = signTransaction(
      unsignedTransaction(operator, blockhash, [...message.instructions, more]),
      new Map([[buyer, filled(2)]]),
    )
    const wire = encodeTransaction(grown)
    expect(() => verifyOpen(wire, agreed)).toThrow(expect.objectContaining({ code: 'instructions' }))
    const openTransaction = Buffer.from(wire).toString('base64')
    expect(await verdict({ ...opened, openTransaction })).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_upto_svm_payload_open_transaction',
    })
  })
})

function forKit({ program, accounts, data }: Instruction): kit.Instruction {
  return {
    programAddress: kit.address(program),
    accounts: accounts.map((account) => ({ address: kit.address(account.address), role: roleOf(account) })),
    data,
  }
}

function shapeOf({ program, accounts, data }: Instruction): object {
  return { program, accounts: accounts.map(({ address }) => address), data }
}
