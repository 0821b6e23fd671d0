import { send } from '../dispatch/send.ts'
import { authority, signed } from '../dispatch/tiny-service.ts'
import { contractParty } from '../http/contract-wallet.ts'
import { aTask, expectStatus } from '../http/live-market.ts'
import { openSession, ownOrigin, sendJson, signedIn, signInText } from '../http/live-people.ts'
import { signedWith } from './producers-requests.ts'
import type { Producers } from './producers.ts'

/** Who asks, and whether they may. */
export const callerProducers = {
  UNAUTHORIZED: ({ market }) => sendJson(market.url, 'POST', '/api/v1/tasks', aTask(), {}),
  SIGNATURE_REQUIRED: async ({ market, published }) => market.get(`/api/v1/tasks/${await published()}/applications`),
  async INVALID_SIGNATURE_HEADERS({ market }) {
    const { signature: _signature, ...headers } = await signed('GET', '/api/v1/users/blocked')
    return send(
      market.url,
      'GET',
      '/api/v1/users/blocked',
      Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'signature')),
    )
  },
  authority_not_allowed: (bench) => signedWith(bench, { authority: 'another.market' }),
  SIGNATURE_EXPIRED: (bench) => signedWith(bench, { now: -3_600 }),
  async SIGNATURE_REPLAYED(bench) {
    expectStatus(await signedWith(bench, { nonce: 'one nonce of the table' }), 200)
    return signedWith(bench, { nonce: 'one nonce of the table' })
  },
  API_KEY_REFUSED: ({ market }) =>
    send(market.url, 'GET', '/api/v1/health', { host: authority, authorization: 'Bearer svc_free_0123456789' }),
  INVALID_API_KEY: ({ market }) =>
    send(market.url, 'GET', '/api/v1/admin/metrics', { host: authority, 'x-admin-key': 'another key' }),
  FORBIDDEN: async ({ worker, published }) => worker.call('DELETE', `/api/v1/tasks/${await published()}`),
  async identity_required({ strict }) {
    return (await strict.party(0n)).call('POST', '/api/v1/tasks', aTask())
  },
  async identity_check_unavailable({ market, withoutFacilitator }) {
    const party = await market.party(0n)
    return withoutFacilitator(() => party.call('POST', '/api/v1/tasks', aTask()))
  },
  nonce_store_unavailable: ({ withoutTable, publisher }) =>
    withoutTable('nonces', () => publisher.call('GET', '/api/v1/users/blocked')),
  async GAS_BUDGET_SPENT({ market, facilitator }) {
    const party = await market.party(0n)
    return facilitator.answering(
      '/register',
      503,
      {
        success: false,
        errorCode: 'gas_budget_spent',
        error: 'the gas of today is spent',
        broadcast: false,
        final: false,
        retry_after: 7_200,
      },
      () => party.call('POST', '/api/v1/reputation/register', {}),
    )
  },
  async REGISTRATION_FAILED({ market, facilitator }) {
    const party = await market.party(0n)
    return facilitator.answering(
      '/register',
      400,
      { success: false, errorCode: 'ContractCall', error: 'the registry reverted' },
      () => party.call('POST', '/api/v1/reputation/register', {}),
    )
  },
  async PARTY_MISMATCH({ market, publisher }) {
    const [agent, task] = [
      await market.party(0n),
      await publisher.call('POST', '/api/v1/tasks', aTask({ target_executor_type: 'human' })),
    ]
    expectStatus(await agent.call('POST', '/api/v1/workers/register', { executor_type: 'agent' }), 201)
    return agent.call('POST', `/api/v1/tasks/${String(task.body['id'])}/apply`, {})
  },
  async REPUTATION_TOO_LOW({ market, publisher }) {
    const task = await publisher.call('POST', '/api/v1/tasks', aTask({ min_reputation: 90 }))
    return (await market.party(0n)).call('POST', `/api/v1/tasks/${String(task.body['id'])}/apply`, {})
  },
  async WALLET_BLOCKED({ market, admin }) {
    const party = await market.party(0n)
    expectStatus(
      await admin('PUT', `/api/v1/admin/workers/${party.wallet}/ban`, { banned: true, reason: 'Fake evidence.' }),
      200,
    )
    return party.call('GET', '/api/v1/tasks')
  },
  async ACCOUNT_PROOF_DIFFERS({ market, rig }) {
    const party = await market.party(0n)
    expectStatus(await party.call('POST', '/api/v1/workers/register', {}), 201)
    const contract = await contractParty({ url: market.url, rpcUrl: rig.chain.rpcUrl }, 0n, party.wallet)
    return contract.call('GET', '/api/v1/users/blocked')
  },
  async PARTY_BLOCKED({ market, publisher, published }) {
    const [blocked, taskId] = [await market.party(0n), await published()]
    expectStatus(await publisher.call('POST', '/api/v1/users/block', { wallet: blocked.wallet }), 201)
    return blocked.call('POST', `/api/v1/tasks/${taskId}/apply`, {})
  },

  SESSION_REQUIRED: ({ publisher }) => publisher.call('POST', '/api/v1/h2a/tasks', aTask()),
  async SIGN_IN_REFUSED({ market, publisher, worker }) {
    const message = String((await signInText(market.url, publisher.wallet)).body['message'])
    return openSession(market.url, message, await worker.signer.signMessage(message))
  },
  async SESSION_NOT_FOR_PARTY({ market }) {
    const agent = await market.party(0n)
    expectStatus(await agent.call('POST', '/api/v1/workers/register', { executor_type: 'agent' }), 201)
    return (await signedIn(market, agent)).call('POST', '/api/v1/workers/register', { name: 'Ada' })
  },
  HOST_NOT_ALLOWED: ({ market }) =>
    send(
      market.url,
      'POST',
      '/mcp',
      { host: 'another.market', 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      '{}',
    ),
  ORIGIN_NOT_ALLOWED: ({ market, person }) =>
    sendJson(market.url, 'POST', '/api/v1/h2a/tasks', aTask(), {
      origin: 'https://elsewhere.example',
      cookie: person.cookie,
    }),
  AGENT_KEYS_DISABLED: ({ market }) =>
    sendJson(market.url, 'POST', '/api/v1/agent/auth', { api_key: 'svc_free_0123456789' }, { origin: ownOrigin }),
  AGENT_KEY_REFUSED: ({ strict }) =>
    sendJson(strict.url, 'POST', '/api/v1/agent/auth', { api_key: 'svc_free_0123456789' }, { origin: ownOrigin }),
  PAYOUT_PROOF_INVALID: async ({ worker }) => {
    expectStatus(await worker.call('POST', '/api/v1/workers/register', {}), 201)
    return worker.call('PATCH', '/api/v1/account/solana-payout-address', {
      solana_payout_address: '1'.repeat(32),
      message: 'Solana payout address',
      signature: '1'.repeat(64),
    })
  },
  async ACCOUNT_BUSY({ worker, accepted }) {
    await accepted()
    return worker.call('DELETE', '/api/v1/account')
  },
  RATING_REFUSED: async ({ publisher, completed }) =>
    publisher.call('POST', '/api/v1/reputation/relay/submit', {
      task_id: (await completed()).taskId,
      direction: 'publisher_rates_executor',
      score: 90,
      network: 'localnet',
      ratee_agent_id: 1,
      rater_wallet: publisher.wallet,
      deadline: 9_999_999_999,
      nonce: zero32,
      tag1: '',
      tag2: '',
      endpoint: '',
      feedback_uri: '',
      feedback_hash: zero32,
      signature: `0x${'0'.repeat(130)}`,
    }),
  async RATING_UNAVAILABLE({ publisher, completed, withoutFacilitator }) {
    const { taskId } = await completed()
    return withoutFacilitator(() =>
      publisher.call('POST', '/api/v1/reputation/relay/prepare', {
        task_id: taskId,
        direction: 'publisher_rates_executor',
        score: 90,
      }),
    )
  },
  TASK_NOT_RATEABLE: async ({ publisher, accepted }) =>
    publisher.call('POST', '/api/v1/reputation/workers/rate', { task_id: (await accepted()).taskId, score: 90 }),
  async ALREADY_RATED({ publisher, completed }) {
    const fields = { task_id: (await completed()).taskId, score: 90 }
    expectStatus(await publisher.call('POST', '/api/v1/reputation/workers/rate', fields), 200)
    return publisher.call('POST', '/api/v1/reputation/workers/rate', fields)
  },
  async INVALID_REPUTATION_NETWORK({ unrated, publisher, worker, completed, sql }) {
    const { taskId } = await completed()
    await sql(
      "insert into identities (network, wallet, agent_id, updated_at) values ('avalanche', $1, 1, now()) on conflict do nothing",
      [worker.wallet.toLowerCase()],
    )
    const target = '/api/v1/reputation/workers/rate'
    const body = JSON.stringify({ task_id: taskId, score: 90 })
    return send(unrated.url, 'POST', target, await signed('POST', target, body, { key: publisher.key }), body)
  },
  CHAIN_UNAVAILABLE: ({ market, withoutFacilitator }) =>
    withoutFacilitator(() => market.get('/api/v1/reputation/agents/0')),
  DISPUTE_NOT_OPEN: async ({ publisher, worker, submitted, admin }) => {
    const { submissionId } = await submitted()
    const dispute = expectStatus(
      await worker.call('POST', `/api/v1/submissions/${submissionId}/dispute`, {
        reason: 'no_response',
        description: 'Nobody looks at it.',
      }),
      201,
    )
    const path = `/api/v1/disputes/${String(dispute.body['id'])}`
    expectStatus(await admin('POST', `${path}/resolve`, { verdict: 'refund', reason: 'There is nothing to see.' }), 200)
    return publisher.call('POST', `${path}/evidence`, { statement: 'It is too late for this.' })
  },
  TASK_STATE_NOT_FORCEABLE: async ({ admin, accepted }) =>
    admin('PUT', `/api/v1/admin/tasks/${(await accepted()).taskId}`, {
      status: 'completed',
      reason: 'It is asked for.',
    }),
  WORKER_BLOCKED: async ({ market, publisher, published, admin }) => {
    const [taskId, party] = [await published(), await market.party(0n)]
    const executorId = String(
      expectStatus(await party.call('POST', `/api/v1/tasks/${taskId}/apply`, {}), 201).body['executor_id'],
    )
    expectStatus(
      await admin('PUT', `/api/v1/admin/workers/${executorId}/ban`, { banned: true, reason: 'Fake evidence.' }),
      200,
    )
    return publisher.call('POST', `/api/v1/tasks/${taskId}/assign`, { executor_id: executorId })
  },
  WORKER_NOT_APPLIED: async ({ publisher, worker, published }) => {
    const executorId = String(expectStatus(await worker.call('POST', '/api/v1/workers/register', {}), 201).body['id'])
    return publisher.call('POST', `/api/v1/tasks/${await published()}/assign`, { executor_id: executorId })
  },
} satisfies Partial<Producers>

const zero32 = `0x${'0'.repeat(64)}`
