import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { createFakeChannels, type FakeChannels } from '@ergon/core/testing'
import { networkByName, toBase58, utf8, type Network } from '@ergon/protocols'
import { createVoucherSigner } from '../../src/adapters/channels/voucher-signer.ts'
import { channelText } from '../../src/api/channel-proof.ts'
import { payoutText } from '../../src/api/payout-proof.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { aTask, expectStatus, type Party } from './live-market.ts'

/** A wallet on the ledger of channels. */
export type LedgerKey = { readonly address: string; sign(text: string): string }

export function ledgerKey(): LedgerKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const address = toBase58(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  return { address, sign: (text) => signedBy(privateKey, text) }
}

const signedBy = (key: KeyObject, text: string): string => toBase58(sign(null, utf8(text), key))

function solana(): Network {
  const network = networkByName('solana')
  if (network === undefined) throw new Error('the table has no solana')
  return network
}

/** Channels whose ledger is a map, with vouchers that a key signs. */
export function liveChannels() {
  const key = ledgerKey()
  const fake: FakeChannels = Object.assign(createFakeChannels('solana'), {
    facts: { program: ledgerKey().address, mint: ledgerKey().address, signer: key.address },
    vouchers: {
      ...createVoucherSigner(new Uint8Array(32)),
      sign: (channelId: string, cumulative: bigint) => key.sign(`${channelId} ${String(cumulative)}`),
    },
  })
  return { fake, wired: { channels: fake, network: solana() } }
}

export const perScan = { rail: 'solana_channel', unit: 'scan', price_per_unit: '0.0003', cap_usd: '0.001' } as const

export type Metered = { readonly taskId: string; readonly executorId: string; readonly payout: LedgerKey }

/** A metered task, assigned to a worker who has an address on the ledger. */
export async function metered(publisher: Party, worker: Party, streaming: object = perScan): Promise<Metered> {
  const task = aTask({ payment_network: 'solana', payment_streaming: streaming, bounty_usd: 1 })
  const taskId = String(expectStatus(await publisher.call('POST', '/api/v1/tasks', task), 201).body['id'])
  const application = expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, {}), 201)
  const executorId = String(application.body['executor_id'])
  const payout = ledgerKey()
  await bindPayout(worker, executorId, payout)
  expectStatus(await publisher.call('POST', `/api/v1/tasks/${taskId}/assign`, { executor_id: executorId }), 200)
  return { taskId, executorId, payout }
}

/** A session by the second; its `taskId` is its id. */
export type Streamed = Metered

/** A session with a worker who has an address on the ledger; a second costs enough that a moment costs something. */
export async function streamed(publisher: Party, worker: Party, changed: object = {}): Promise<Streamed> {
  const executorId = String(expectStatus(await worker.call('POST', '/api/v1/workers/register', {}), 201).body['id'])
  const payout = ledgerKey()
  await bindPayout(worker, executorId, payout)
  const terms = { executor_id: executorId, unit: 'second', price_per_unit: '1', cap_usd: '5', ...changed }
  const begun = expectStatus(await publisher.call('POST', '/api/v1/streams/session', terms), 201)
  return { taskId: String(begun.body['session_id']), executorId, payout }
}

export async function bindPayout(worker: Party, executorId: string, payout: LedgerKey): Promise<void> {
  const { address } = payout
  const wallet = worker.wallet.toLowerCase()
  const message = payoutText({ service: authority, wallet, executorId, address, issuedAt: new Date().toISOString() })
  const fields = { solana_payout_address: address, message, signature: payout.sign(message) }
  expectStatus(await worker.call('PATCH', '/api/v1/account/solana-payout-address', fields), 200)
}

/** A channel on the ledger, and what its payer sends to bind it. */
export function opened(
  fake: FakeChannels,
  publisher: Pick<Party, 'wallet'>,
  { taskId, payout }: Pick<Metered, 'taskId' | 'payout'>,
  deposit = 5_000n,
) {
  const payer = ledgerKey()
  const channelId = ledgerKey().address
  fake.kept.set(channelId, { payer: payer.address, worker: payout.address, deposit })
  return bindFields({ publisher, taskId, channelId, payer })
}

export function bindFields({
  publisher,
  taskId,
  channelId,
  payer,
  ...changed
}: {
  readonly publisher: Pick<Party, 'wallet'>
  readonly taskId: string
  readonly channelId: string
  readonly payer: LedgerKey
  readonly service?: string
  readonly issuedAt?: string
}) {
  const claim = {
    service: authority,
    wallet: publisher.wallet.toLowerCase(),
    taskId,
    channelId,
    payer: payer.address,
    issuedAt: new Date().toISOString(),
    ...changed,
  }
  const message = channelText(claim)
  return { channel_id: channelId, payer: payer.address, message, signature: payer.sign(message) }
}
