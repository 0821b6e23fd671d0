import { toBase58, utf8 } from '@ergon/protocols'
import type { Input, OperationsClient, Output } from '../client.ts'
import type { SolanaSigner } from '../paying/solana-signer.ts'
import { serviceName } from '../service-name.ts'

export type BindPayoutInput = {
  /** The worker, as registering answers it. */
  readonly executor_id: string
  /** The key of the address that is to be paid. */
  readonly signer: SolanaSigner
  /** The wallet of the worker; that of the client's signer when left out. */
  readonly wallet?: string
  /** The host by which the service calls itself; asked of it when left out. */
  readonly service?: string
}

/** Has a worker paid at a Solana address, which proves itself by its key. */
export async function bindPayoutAddress(
  client: OperationsClient,
  { executor_id, signer, wallet, service }: BindPayoutInput,
): Promise<Output<'account.bindSolanaPayout'>> {
  const about = { title: 'Solana payout address', wallet, service }
  const proof = await proofBy(client, signer, about, [
    ['Worker', executor_id],
    ['Address', signer.address],
  ])
  return client.account.bindSolanaPayout({ solana_payout_address: signer.address, ...proof })
}

export type BindChannelInput = {
  readonly task_id: string
  readonly channel_id: string
  /** The key that opened it. */
  readonly payer: SolanaSigner
  /** The wallet of the publisher; that of the client's signer when left out. */
  readonly wallet?: string
  /** The host by which the service calls itself; asked of it when left out. */
  readonly service?: string
}

/** Lets a channel that is open already fund a metered task. */
export async function bindChannel(
  client: OperationsClient,
  { task_id, channel_id, payer, wallet, service }: BindChannelInput,
): Promise<Output<'channels.bind'>> {
  const proof = await proofBy(client, payer, { title: 'Channel of a task', wallet, service }, [
    ['Task', task_id],
    ['Channel', channel_id],
    ['Payer', payer.address],
  ])
  const fields: Input<'channels.bind'> = { task_id, channel_id, payer: payer.address, ...proof }
  return client.channels.bind(fields)
}

type About = { readonly title: string; readonly wallet: string | undefined; readonly service: string | undefined }

async function proofBy(
  client: OperationsClient,
  signer: SolanaSigner,
  { title, wallet: given, service }: About,
  about: readonly (readonly [string, string])[],
): Promise<{ readonly message: string; readonly signature: string }> {
  const wallet = given ?? client.signer?.address
  if (wallet === undefined) throw new TypeError('say whose wallet it is: this client has no signer')
  const lines = [
    ['Service', service ?? (await serviceName(client))],
    ['Wallet', wallet.toLowerCase()],
    ...about,
    ['Issued At', new Date(client.transport.now()).toISOString()],
  ]
  const message = [title, ...lines.map(([name = '', value = '']) => `${name}: ${value}`)].join('\n')
  return { message, signature: toBase58(await signer.sign(utf8(message))) }
}
