import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { localAccounts, localChainId, localRoles, mintTestUsd } from '@ergon/contracts'
import { generatePrivateKey, lowerAddress, parseNetworkRows, privateKeySigner } from '@ergon/protocols'
import { createPublicClient, http, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { dataFolder } from '../constellation/data-folder.ts'
import { startLocalChain } from '../constellation/local-chain.ts'
import { ensureSecrets } from '../constellation/secrets.ts'
import { facilitatorService, serverService, serviceUrl } from '../constellation/services.ts'
import { startNodeService } from '../node-service.ts'
import { freePort } from '../ports.ts'
import { drawJob } from '../storm/jobs/job.ts'
import { playJob } from '../storm/jobs/play-job.ts'
import { seededRandom } from '../storm/random.ts'
import { createTestDatabase } from '../testing/test-database.ts'

const balanceOf = parseAbi(['function balanceOf(address owner) view returns (uint256)'])

test('the row that the deployment prints is what both processes take: a job is paid through the new operator', async () => {
  await using stack = new AsyncDisposableStack()
  const root = mkdtempSync(join(tmpdir(), 'ergon-own-operator-'))
  stack.defer(() => {
    rmSync(root, { recursive: true, force: true })
  })
  const folder = dataFolder(root)
  for (const path of [folder.server, folder.logs]) mkdirSync(path, { recursive: true })
  const chain = stack.use(await startLocalChain({}))
  const treasury = privateKeySigner(generatePrivateKey())
  const [, , , , , deployer] = localAccounts
  if (deployer === undefined) throw new Error('the local chain has ten accounts')
  await mintTestUsd(chain.rpcUrl, deployer.address, 1n)
  const [keyFile, rowsFile] = [join(root, 'key'), join(root, 'rows.json')]
  writeFileSync(keyFile, deployer.privateKey)
  const { stdout } = await promisify(execFile)(process.execPath, [
    fileURLToPath(new URL('../../../contracts/src/main.ts', import.meta.url)),
    'deploy',
    ...['--rpc', chain.rpcUrl, '--key-file', keyFile, '--name', 'my-chain', '--max-deposit', '20000000'],
    ...['--facilitator', localRoles.facilitator.address, '--treasury', treasury.address],
  ])
  writeFileSync(rowsFile, stdout)
  const [row] = parseNetworkRows(JSON.parse(stdout))
  const databases = {
    server: stack.use(await createTestDatabase()),
    facilitator: stack.use(await createTestDatabase()),
  }
  const ports = { server: await freePort(), facilitator: await freePort() }
  const around = {
    folder,
    secrets: ensureSecrets(folder.secrets),
    rpcUrl: chain.rpcUrl,
    databases: { server: databases.server.url, facilitator: databases.facilitator.url },
    ports,
    paymentMode: 'fase2',
    web: undefined,
    mains: undefined,
    env: {
      facilitator: {
        FACILITATOR_NETWORKS: 'my-chain',
        FACILITATOR_NETWORKS_FILE: rowsFile,
        FACILITATOR_RPC_MY_CHAIN: chain.rpcUrl,
      },
      server: { SVC_NETWORKS: 'my-chain', SVC_NETWORKS_FILE: rowsFile, SVC_RPC_MY_CHAIN: chain.rpcUrl },
    },
  } as const
  stack.use(await startNodeService(facilitatorService(around)))
  stack.use(await startNodeService(serverService(around)))
  const job = { ...drawJob(seededRandom(5), 1), kind: 'paid', grossAtomic: 2_000_000n } as const
  await mintTestUsd(chain.rpcUrl, lowerAddress(job.payer.address), 2_000_000n)
  const played = await playJob(
    {
      url: serviceUrl(ports.server),
      chainId: localChainId,
      adminKey: around.secrets.serverAdminKey,
      networks: row === undefined ? [] : [row],
      passDeadline: async () => undefined,
    },
    job,
    performance.now() + 60_000,
  )
  expect([played.isDone, played.failure]).toEqual([true, undefined])
  const reader = createPublicClient({ transport: http(chain.rpcUrl) })
  const held = (owner: string): Promise<bigint> =>
    reader.readContract({
      address: lowerAddress(row?.tokens['USDC']?.address ?? ''),
      abi: balanceOf,
      functionName: 'balanceOf',
      args: [lowerAddress(owner)],
    })
  expect(await held(job.payee.address)).toBe(1_740_000n)
  await expect.poll(() => held(treasury.address), { timeout: 20_000 }).toBe(260_000n)
  expect(await held(localRoles.treasury.address), 'the treasury of the first operator has no part of it').toBe(0n)
})
