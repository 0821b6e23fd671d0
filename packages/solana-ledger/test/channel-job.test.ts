import {
  channelAddress,
  createTokenAccountInstruction,
  decodeChannel,
  distributeInstruction,
  openInstruction,
  reclaimInstruction,
  requestCloseInstruction,
  sealInstruction,
  settleAndSealInstruction,
  signVoucher,
  treasuryOwners,
  voucherProofInstruction,
} from '@ergon/channels'
import type { Instruction, OpenTerms } from '@ergon/channels'
import { channelProgramId } from '@ergon/channel-program'
import { ed25519KeyOf, toBase58 } from '@ergon/protocols'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRpcLedger, deliver, localKeys, localMint, startEmbeddedLedger, startRpcFront } from '../src/index.ts'
import type { EmbeddedLedger, LocalKey, RpcFront, RpcLedger } from '../src/index.ts'
import { foreignClient, signed } from './foreign-client.ts'

const programs = { channelProgram: channelProgramId }
const key = (byte: number): LocalKey => {
  const seed = new Uint8Array(32).fill(byte)
  return { seed, address: toBase58(ed25519KeyOf(seed)) }
}
const [buyer, worker] = [key(41), key(42)]
const { operator, voucher } = localKeys
const splits = [{ recipient: worker.address, bps: 8_700 }]
const unitPrice = 1_234n

let embedded: EmbeddedLedger
let front: RpcFront
let ledger: RpcLedger
let client: ReturnType<typeof foreignClient>
let skippedMs = 0

/** The ledger’s clock and ours move ahead together: slots that come from nowhere are not believed. */
async function skip(ms: number): Promise<void> {
  skippedMs += ms
  await embedded.skip(ms)
}

beforeAll(async () => {
  embedded = await startEmbeddedLedger()
  front = await startRpcFront(embedded.machine)
  client = foreignClient(front.url)
  // The service's own way to a cluster, against the embedded one.
  const genesisHash = await embedded.machine.genesisHash()
  ledger = createRpcLedger({ urls: [front.url], genesisHash, now: () => Date.now() + skippedMs })
  await embedded.fund(buyer.address, { lamports: 1_000_000_000n, tokens: 50_000_000n })
})
afterAll(async () => {
  await front[Symbol.asyncDispose]()
  await embedded[Symbol.asyncDispose]()
})

async function carryOut(what: string, instructions: readonly Instruction[], signers: readonly LocalKey[]) {
  const { blockhash, lastValidBlockHeight } = await ledger.blockhash()
  const transaction = signed(blockhash, instructions, signers)
  const delivered = await deliver(ledger, { ...transaction, lastValidBlockHeight }, { pollMs: 5 })
  expect(delivered, what).toMatchObject({ end: 'landed', status: { error: null } })
  const units = (await embedded.machine.transaction(transaction.signature))?.units ?? 0n
  process.stdout.write(`${what}: ${units} compute units, ${transaction.wire.length} bytes\n`)
  return units
}

async function openChannel(salt: bigint): Promise<OpenTerms & { readonly channelId: string }> {
  const terms: OpenTerms = {
    payer: buyer.address,
    payee: operator.address,
    rentPayer: operator.address,
    mint: localMint,
    authorizedSigner: voucher.address,
    salt,
    openSlot: await ledger.slot(),
    deposit: 10_000_000n,
    gracePeriodSec: 900,
    splits,
  }
  await carryOut('open', [openInstruction(terms, programs)], [operator, buyer])
  return { ...terms, channelId: channelAddress(terms, channelProgramId).address }
}

const sharing = (terms: OpenTerms & { readonly channelId: string }) =>
  distributeInstruction({ ...terms, treasuryOwner: treasuryOwners.localnet }, programs)

test('a metered job: opened, ticked by vouchers, settled 87 to 13 in one transaction, and its rent reclaimed', async () => {
  const channel = await openChannel(1n)
  const rentBefore = (await ledger.account(operator.address))?.lamports ?? 0n
  const vouchers = Array.from({ length: 500 }, (_, tick) => {
    const said = { channelId: channel.channelId, cumulative: BigInt(tick + 1) * unitPrice, expiresAt: 0n }
    return { said, signature: signVoucher(said, voucher.seed) }
  })
  const last = vouchers.at(-1)
  if (last === undefined) throw new Error('no voucher')
  const units = await carryOut(
    'create account, proof, settle_and_seal, distribute',
    [
      createTokenAccountInstruction({ funder: operator.address, owner: worker.address, mint: localMint }),
      voucherProofInstruction(last.said, last.signature, voucher.address),
      settleAndSealInstruction(channel, true, programs),
      sharing(channel),
    ],
    [operator],
  )
  expect(units).toBeLessThan(100_000n)
  // 500 ticks of 1,234: 617,000, of which the worker has 87 %.
  expect(await client.tokens(worker.address)).toBe('0.53679')
  expect(await client.tokens(operator.address)).toBe('0.08021')
  expect(await client.tokens(buyer.address)).toBe('49.383')
  expect(decodeChannel((await ledger.account(channel.channelId))?.data ?? new Uint8Array()).status).toBe('distributed')
  await skip(1_501 * 400)
  await carryOut('reclaim', [reclaimInstruction(channel, programs)], [operator])
  expect(await ledger.account(channel.channelId)).toBeNull()
  const rentAfter = (await ledger.account(operator.address))?.lamports ?? 0n
  // Two transactions' fees went, the worker's account was made, and the rents of escrow and channel came back.
  expect(rentAfter - rentBefore).toBe(2_672_640n + 2_039_280n - 2_039_280n - 10_000n - 5_000n)
})

test('the service is gone: the buyer closes, waits, seals and has its deposit back by itself', async () => {
  const before = Number(await client.tokens(buyer.address))
  const channel = await openChannel(2n)
  expect(Number(await client.tokens(buyer.address))).toBeCloseTo(before - 10, 6)
  await carryOut('request_close', [requestCloseInstruction(channel, programs)], [buyer])
  const early = signed((await ledger.blockhash()).blockhash, [sealInstruction(channel.channelId, programs)], [buyer])
  await expect(ledger.send(early.wire)).rejects.toMatchObject({
    transactionError: { InstructionError: [0, { Custom: 2201 }] },
  })
  await skip(900_000)
  await carryOut('seal, distribute', [sealInstruction(channel.channelId, programs), sharing(channel)], [buyer])
  expect(Number(await client.tokens(buyer.address))).toBeCloseTo(before, 6)
})
