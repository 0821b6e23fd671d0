import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { localChainId, localRoles, mintTestUsd } from '@ergon/contracts'
import { lowerAddress } from '@ergon/protocols'
import { beforeAll, expect, test } from 'vitest'
import { startLocalChain } from '../constellation/local-chain.ts'
import { serviceUrl } from '../constellation/services.ts'
import { inheritedEnv, startNodeService, type NodeServiceOptions } from '../node-service.ts'
import { freePort } from '../ports.ts'
import { drawJob } from '../storm/jobs/job.ts'
import { playJob } from '../storm/jobs/play-job.ts'
import { seededRandom } from '../storm/random.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { ensureWebBuilt } from '../web/ensure-web-built.ts'
import { adapt, readDeployed } from './proxy.ts'
import { readSettings } from './settings-file.ts'
import { readUnit, type Unit } from './unit-file.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const units = ['ergon-facilitator.service', 'ergon-server.service'] as const

let dist = ''
// Where nobody has built the app yet, that takes minutes of its own.
beforeAll(async () => {
  dist = (await ensureWebBuilt()) ?? ''
}, 300_000)

type Around = {
  readonly folder: string
  /** What an operator writes into the file of settings. */
  readonly changes: readonly (readonly [from: string, to: string])[]
  /** The bytes of each credential. */
  readonly secrets: Readonly<Record<string, string>>
  readonly more: Readonly<Record<string, string>>
  readonly healthUrl: string
}

/** The process that systemd would start, with what it would see. */
function started(unit: Unit, { folder, changes, secrets, more, healthUrl }: Around): NodeServiceOptions {
  const credentials = join(folder, 'credentials')
  mkdirSync(credentials, { recursive: true })
  for (const name of unit.credentials.keys()) writeFileSync(join(credentials, name), secrets[name] ?? '')
  const [program, main = '', ...words] = unit.command
  expect([program, words, unit.workingDirectory]).toEqual(['/usr/local/bin/node', [], '/opt/ergon'])
  const settings = readSettings(adapt(readDeployed(unit.environmentFile), changes))
  return {
    name: unit.environmentFile,
    main: resolve(root, main),
    logFile: join(folder, `${unit.environmentFile}.log`),
    healthUrl,
    env: { ...Object.fromEntries(settings), ...Object.fromEntries(unit.environment), ...more },
    stopGraceMs: unit.stopSeconds * 1_000,
  }
}

test('the units and settings of deploy/ start both processes, which pay a job and end when they are told to', async () => {
  await using parts = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'ergon-units-'))
  parts.defer(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  const chain = parts.use(await startLocalChain({}))
  const databases = {
    server: parts.use(await createTestDatabase()),
    facilitator: parts.use(await createTestDatabase()),
  }
  const ports = { server: await freePort(), facilitator: await freePort() }
  const [url, facilitatorUrl] = [serviceUrl(ports.server), serviceUrl(ports.facilitator)]
  const [facilitator, server] = units.map((name) => readUnit(name, join(folder, 'credentials')))
  if (facilitator === undefined || server === undefined) throw new Error('there are two units')
  const adminKey = 'the key of the admin, 32 characters at least'
  const options = {
    facilitator: started(facilitator, {
      folder,
      changes: [
        ['postgres://ergon:PASSWORD@127.0.0.1:5432/ergon_facilitator', databases.facilitator.url],
        ['FACILITATOR_NETWORKS=base', 'FACILITATOR_NETWORKS=localnet'],
        ['FACILITATOR_RPC_BASE=https://node.example', `FACILITATOR_RPC_LOCALNET=${chain.rpcUrl}`],
      ],
      secrets: { 'gas-key': `${localRoles.facilitator.privateKey}\n` },
      more: { FACILITATOR_PORT: String(ports.facilitator) },
      healthUrl: `${facilitatorUrl}/health`,
    }),
    server: started(server, {
      folder,
      changes: [
        ['https://market.example', url],
        ['postgres://ergon:PASSWORD@127.0.0.1:5432/ergon', databases.server.url],
        ['http://127.0.0.1:4021', facilitatorUrl],
        ['SVC_NETWORKS=base', 'SVC_NETWORKS=localnet'],
        ['SVC_RPC_BASE=https://node.example', `SVC_RPC_LOCALNET=${chain.rpcUrl}`],
        ['/opt/ergon/apps/web/dist', dist],
      ],
      secrets: {
        'order-key': `${localRoles.service.privateKey}\n`,
        secret: 'a secret of more than thirty-two characters\n',
        'admin-key': `${adminKey}\n`,
      },
      more: { SVC_PORT: String(ports.server), SVC_DATA_DIR: join(folder, 'data') },
      healthUrl: `${url}/readyz`,
    }),
  }
  const { address } = localRoles.service
  {
    await using _untold = await startNodeService(options.facilitator)
    const refused = await startNodeService(options.server).catch(String)
    expect(refused).toContain('did not start')
    expect(readFileSync(options.server.logFile, 'utf8')).toMatch(
      new RegExp(`${address}.*FACILITATOR_ORDER_DELEGATES`, 'i'),
    )
  }
  const told = { ...options.facilitator.env, FACILITATOR_ORDER_DELEGATES: address }
  const first = parts.use(await startNodeService({ ...options.facilitator, env: told }))
  const second = parts.use(await startNodeService(options.server))
  const job = { ...drawJob(seededRandom(5), 1), kind: 'paid', dustAtomic: 0n, isPatient: true } as const
  await mintTestUsd(chain.rpcUrl, lowerAddress(job.payer.address), job.mintedAtomic)
  const ground = { url, chainId: localChainId, adminKey, passDeadline: async () => undefined }
  const played = await playJob(ground, job, performance.now() + 60_000)
  expect([played.isDone, played.failure]).toEqual([true, undefined])
  expect(await (await fetch(url)).text()).toContain('<title>')
  for (const service of [second, first]) {
    await service.stop()
    expect(readFileSync(service.logFile, 'utf8')).not.toContain('did not end')
  }
  const again = [options.server.main, 'restore-check']
  expect(execFileSync(process.execPath, again, { env: { ...inheritedEnv(), ...options.server.env } })).toBeInstanceOf(
    Buffer,
  )
  // systemd kills later than a process gives up by itself.
  expect(units.map((name) => readUnit(name, '').stopSeconds)).toEqual([25, 25])
}, 180_000)

test.each(units)('systemd takes every line of %s', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'ergon-unit-'))
  try {
    writeFileSync(join(folder, name), adapt(readDeployed(name), [['/usr/local/bin/node', process.execPath]]))
    const told = execFileSync('systemd-analyze', ['verify', '--man=no', join(folder, name)], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
    expect(told).toBe('')
    const security = ['security', '--offline=true', '--threshold=20', '--no-pager', join(folder, name)]
    expect(execFileSync('systemd-analyze', security, { encoding: 'utf8' })).toContain('Overall exposure level')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
