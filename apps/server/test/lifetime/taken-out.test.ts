import { queryDatabase } from '@ergon/dev-env'
import { networks } from '@ergon/protocols'
import { expect, test } from 'vitest'
import { aTask, applied, assign, eventually, expectStatus, paymentAuth, type Applied } from '../http/live-market.ts'
import { beginLifetime, withoutLocalnet, type Lifetime } from './starts.ts'

/**
 * Settings that leave open money out of reach do not start (decision 0298). What is left behind on purpose waits, keeps
 * nothing else from being done, and goes on when it is reached again.
 */

const patienceMs = 120_000

/** A bounty that the escrow holds. */
async function held(lifetime: Lifetime): Promise<Applied> {
  const market = await lifetime.start()
  const [publisher, worker] = [await market.party(10n), await market.party(0n)]
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  return job
}

const refunds = (lifetime: Lifetime): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  queryDatabase(lifetime.databaseUrl, "select status from settlements where purpose = 'refund'")

test('a network whose escrow holds money is not taken out unsaid', { timeout: patienceMs }, async () => {
  const lifetime = await beginLifetime()
  const { taskId } = await held(lifetime)
  await expect(lifetime.start(withoutLocalnet)).rejects.toThrow(
    /^localnet is no longer served, and 1 job or payment of it is open, .* SVC_LEFT_NETWORKS starts without that money$/,
  )

  // Left behind, its deadline passes: the task ends, and the refund waits in doubt.
  const overdue = "update tasks set deadline = now() - interval '1 minute' where id = $1"
  await queryDatabase(lifetime.databaseUrl, overdue, [taskId])
  const left = await lifetime.start({ ...withoutLocalnet, SVC_LEFT_NETWORKS: 'localnet' })
  await eventually(
    () => refunds(lifetime),
    ([refund]) => refund?.['status'] === 'in_doubt',
  )
  expect(await refunds(lifetime)).toEqual([{ status: 'in_doubt' }])
  const health = expectStatus(await left.get('/api/v1/health/payments'), 200)
  expect(health.body, 'a chain that is not served is not behind').toMatchObject({ in_doubt: 1, chains: [] })

  // Put back, it ends.
  await lifetime.start()
  await queryDatabase(lifetime.databaseUrl, "update settlements set due_at = now() where status = 'in_doubt'")
  await eventually(
    () => refunds(lifetime),
    ([refund]) => refund?.['status'] === 'confirmed',
  )
  expect(await refunds(lifetime)).toEqual([{ status: 'confirmed' }])
  await lifetime.start(withoutLocalnet)
})

test('a task that was only published stops no start, and expires', async () => {
  const lifetime = await beginLifetime()
  const market = await lifetime.start()
  const publisher = await market.party(0n)
  const { body } = expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201)
  await lifetime.start(withoutLocalnet)
  await queryDatabase(lifetime.databaseUrl, "update tasks set deadline = now() - interval '1 minute'")
  const tasks = () => queryDatabase(lifetime.databaseUrl, 'select id, status from tasks')
  await eventually(tasks, ([task]) => task?.['status'] === 'expired')
  expect(await tasks()).toEqual([{ id: body['id'], status: 'expired' }])
})

test('a row that names other contracts than money is locked under is refused', { timeout: patienceMs }, async () => {
  const lifetime = await beginLifetime()
  await held(lifetime)
  const row = networks.localnet
  const { escrow } = row
  if (escrow === undefined) throw new Error('the local chain has an escrow')
  const other = `0x${'77'.repeat(20)}` as const
  const withEscrow = (change: Partial<typeof escrow>) => ({ ...row, escrow: { ...escrow, ...change } })
  await expect(lifetime.start({}, withEscrow({ operator: other }))).rejects.toThrow(
    /^1 open payment of localnet is under the operator contract 0x\w{40}, and the row names 0x7777/,
  )
  await expect(lifetime.start({}, withEscrow({ escrow: other }))).rejects.toThrow(/another escrow contract or chain id/)
  const { USDC } = row.tokens
  if (USDC === undefined) throw new Error('the local chain has USDC')
  const tokens = { USDC: { ...USDC, address: other } }
  await expect(lifetime.start({}, { ...row, tokens })).rejects.toThrow(/under the token USDC 0x\w{40}, which the row/)
  await lifetime.start({ SVC_LEFT_NETWORKS: 'localnet' }, { ...row, tokens })
  await lifetime.start()
})

test('another order of the networks makes nobody a stranger unsaid', { timeout: patienceMs }, async () => {
  const lifetime = await beginLifetime()
  const known = { SVC_REQUIRE_IDENTITY: 'true' }
  const first = await lifetime.start(known)
  const publisher = await first.party(0n)
  expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201)
  const swapped = { ...known, SVC_NETWORKS: 'base-sepolia,localnet' }
  await expect(lifetime.start(swapped)).rejects.toThrow(
    /^agents are known on localnet and none on base-sepolia, .* set SVC_IDENTITY_NETWORK to localnet, or to base-sepolia/,
  )
  const market = await lifetime.start({ ...swapped, SVC_IDENTITY_NETWORK: 'localnet' })
  const { body } = expectStatus(await market.get('/api/v1/health'), 200)
  expect(body['erc8004_network']).toBe('localnet')
  const again = await market.known(publisher).call('POST', '/api/v1/tasks', aTask({ payment_network: 'localnet' }))
  expectStatus(again, 201)
  await lifetime.start({ ...swapped, SVC_IDENTITY_NETWORK: 'base-sepolia' })
  await expect(lifetime.start({ SVC_IDENTITY_NETWORK: 'moon' })).rejects.toThrow(/must be one of SVC_NETWORKS with/)
})
