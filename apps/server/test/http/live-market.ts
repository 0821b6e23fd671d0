import { randomUUID } from 'node:crypto'
import { mintTestUsd } from '@ergon/contracts'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { privateKeySigner, type Address, type Hex, type Signer, type TypedData } from '@ergon/protocols'
import { createApp, decideConfig, readEnv, readSecrets } from '../../src/index.ts'
import type { App, Config, Env, Overrides, ServedNetwork } from '../../src/index.ts'
import { eventually, rpc, startRig, type Rig } from '../adapters/rig.ts'
import { send, type Reply } from '../dispatch/send.ts'
import { authority, signed } from '../dispatch/tiny-service.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

/**
 * One wallet that speaks to the service, signing what it sends; `chainId` where its keyid names another chain than
 * localnet.
 */
export type Party = {
  readonly wallet: Address
  readonly key: Hex
  readonly signer: Signer
  readonly chainId?: number
  call(method: string, target: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
}

/** The service as it runs for real: PostgreSQL, facilitator and chain are all there. */
export type LiveMarket = AsyncDisposable &
  Reached & {
    readonly rig: Rig
    readonly app: App
    readonly databaseUrl: string
  }

/** What wallets do with a service that runs somewhere. */
export type Reached = {
  readonly url: string
  /** A wallet nobody has seen before, with this many dollars. */
  party(dollars: bigint): Promise<Party>
  /** A wallet of another service, speaking to this one. */
  known(party: Party): Party
  /** Unsigned. */
  get(target: string): Promise<Reply>
  balance(wallet: Address): Promise<bigint>
}

export async function startLiveMarket(env: Env = {}, given?: Rig, overrides: Overrides = {}): Promise<LiveMarket> {
  await using stack = new AsyncDisposableStack()
  const rig = given ?? stack.use(await startRig())
  const database = stack.use(await createTestDatabase(serverSchema))
  const raw = readEnv(envOf(rig, database.url, env))
  const config = withRowsOf(rig, decideConfig(raw))
  const app = stack.use(await createApp(config, readSecrets(raw, config), overrides))
  const url = await app.listen()
  const owned = stack.move()
  return {
    rig,
    app,
    databaseUrl: database.url,
    ...reach(url, rig.chain.rpcUrl),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The service knows the networks as the rig does. */
function withRowsOf({ settings }: Rig, config: Config): Config {
  const [first, ...others] = config.networks
  const known = (one: ServedNetwork): ServedNetwork => {
    const same = settings.networks.find(({ network }) => network.name === one.network.name)
    return same === undefined ? one : { ...one, network: same.network }
  }
  return { ...config, networks: [known(first), ...others.map(known)] }
}

/** A service that goes by the name which parties sign for, and the chain it is paid on. */
export function reach(url: string, rpcUrl: string): Reached {
  return {
    url,
    get: (target) => send(url, 'GET', target, { host: authority }),
    balance: async (wallet) =>
      BigInt(
        String(
          await rpc(rpcUrl, 'eth_call', [
            { to: token, data: `0x70a08231${wallet.slice(2).padStart(64, '0')}` },
            'latest',
          ]),
        ),
      ),
    known: (party) => ({
      ...party,
      call: (method, target, body, headers = {}) => callAs(url, party.key, method, target, body, headers),
    }),
    async party(dollars) {
      const key: Hex = `0x${randomUUID().replaceAll('-', '')}${randomUUID().replaceAll('-', '')}`
      const signer = privateKeySigner(key)
      if (dollars > 0n) await mintTestUsd(rpcUrl, signer.address, dollars * 1_000_000n)
      return {
        key,
        signer,
        wallet: signer.address,
        call: (method, target, body, headers = {}) => callAs(url, key, method, target, body, headers),
      }
    },
  }
}

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

export function envOf(rig: Rig, databaseUrl: string, env: Env): Env {
  return {
    SVC_HOST: '127.0.0.1',
    SVC_PORT: '0',
    SVC_BASE_URL: `http://${authority}`,
    DATABASE_URL: databaseUrl,
    SVC_NETWORKS: 'localnet',
    SVC_RPC_LOCALNET: rig.settings.networks[0]?.rpcUrls.join(','),
    SVC_FACILITATOR_URL: rig.settings.facilitatorUrl,
    SVC_ORDER_SIGNER_KEY: rig.settings.orderSignerKey,
    SVC_DATA_DIR: rig.settings.dataDir,
    SVC_SECRET: 'a secret of this test, long enough',
    SVC_LOG_LEVEL: 'error',
    SVC_SHED_ABOVE_MS: '0',
    SVC_RATE_ANON_PER_MIN: '0',
    SVC_RATE_WALLET_PER_MIN: '0',
    SVC_REGISTER_PER_ADDRESS: '0',
    ...env,
  }
}

async function callAs(
  url: string,
  key: Hex,
  method: string,
  target: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Reply> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  return send(url, method, target, await signed(method, target, text, { key, headers }), text)
}

export const aTask = (change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  title: 'Photograph the gate',
  instructions: 'Stand in front of the gate and write what you see.',
  category: 'simple_action',
  bounty_usd: 1.07,
  evidence_required: ['text_response'],
  ...change,
})

export type Applied = { readonly taskId: string; readonly executorId: string }

/** Published by one, applied to by the other. */
export async function applied(
  publisher: Party,
  worker: Party,
  change: Readonly<Record<string, unknown>> = {},
): Promise<Applied> {
  const published = expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask(change)), 201)
  const taskId = String(published.body['id'])
  const application = expectStatus(
    await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, { message: 'I am near.' }),
    201,
  )
  return { taskId, executorId: String(application.body['executor_id']) }
}

type Signable = {
  readonly typed_data: TypedData
  readonly envelope: { readonly payload: Readonly<Record<string, unknown>> }
}

/** The envelope of a challenge with the signature in its place, as X-Payment-Auth carries it. */
export async function signEnvelope(signer: Signer, { typed_data, envelope }: Signable): Promise<string> {
  return JSON.stringify({
    ...envelope,
    payload: { ...envelope.payload, signature: await signer.signTypedData(typed_data) },
  })
}

/** What the payer signs to assign; empty in fase1. */
export async function paymentAuth(publisher: Party, { taskId, executorId }: Applied): Promise<string> {
  const challenge = expectStatus(
    await publisher.call('GET', `/api/v1/tasks/${taskId}/assign/challenge?executor_id=${executorId}`),
    200,
  )
  const accepts = challenge.body['accepts'] as readonly { readonly extra: Signable }[] // the contract's output, checked by expectStatus
  const first = accepts[0]
  if (first === undefined) throw new Error('the challenge offers nothing to sign')
  return signEnvelope(publisher.signer, first.extra)
}

export async function assign(publisher: Party, job: Applied, auth: string): Promise<Reply> {
  return publisher.call(
    'POST',
    `/api/v1/tasks/${job.taskId}/assign`,
    { executor_id: job.executorId },
    { 'x-payment-auth': auth },
  )
}

export async function submit(worker: Party, taskId: string): Promise<string> {
  const submitted = expectStatus(
    await worker.call('POST', `/api/v1/tasks/${taskId}/submit`, { evidence: { text_response: 'It is open.' } }),
    201,
  )
  return String(submitted.body['submission_id'])
}

type Challenge = {
  readonly lifecycle_order: {
    readonly typed_data: TypedData
    readonly order: { readonly deadline: number; readonly nonce: string }
  } | null
  readonly settlement_auth_worker: Signable | null
  readonly settlement_auth_fee: Signable | null
  readonly release_approval: { readonly typed_data: TypedData }
}

export async function approveChallenge(publisher: Party, submissionId: string): Promise<Challenge> {
  const reply = expectStatus(await publisher.call('GET', `/api/v1/submissions/${submissionId}/approve/challenge`), 200)
  return reply.body as unknown as Challenge // the contract's output
}

/** The fields of an approval, signed as the mode asks. */
export async function approveFields(publisher: Party, submissionId: string): Promise<Record<string, unknown>> {
  const challenge = await approveChallenge(publisher, submissionId)
  const { lifecycle_order: release, settlement_auth_worker: payout, settlement_auth_fee: fee } = challenge
  return {
    ...(release === null
      ? {}
      : {
          lifecycle_order: {
            signer: publisher.wallet,
            ...release.order,
            signature: await publisher.signer.signTypedData(release.typed_data),
          },
        }),
    ...(payout === null ? {} : { settlement_auth_worker: await signEnvelope(publisher.signer, payout) }),
    ...(fee === null ? {} : { settlement_auth_fee: await signEnvelope(publisher.signer, fee) }),
  }
}

/** Fails with the whole answer in hand. */
export function expectStatus(reply: Reply, status: number): Reply {
  if (reply.status !== status)
    throw new Error(`expected ${String(status)}, received ${String(reply.status)} ${JSON.stringify(reply.body)}`)
  return reply
}

/** Over a line that loses answers nobody knows yet: 202, or the word for it where the claim was not told either. */
export function expectUndecided(reply: Reply): void {
  if (reply.status === 503 && reply.body.detail?.['code'] === 'OUTCOME_UNKNOWN') return
  expectStatus(reply, 202)
}

export { eventually }

/** Asked by a worker who may see the task. */
export async function anAskedQuestion(by: Party, taskId: string): Promise<{ readonly question_id: string }> {
  const asked = await by.call('POST', `/api/v1/tasks/${taskId}/questions`, { text: 'Which gate do you mean?' })
  return { question_id: String(expectStatus(asked, 201).body['id']) }
}

export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()
