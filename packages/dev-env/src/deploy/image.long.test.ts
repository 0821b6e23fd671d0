import { mkdtempSync, rmSync, writeFileSync, chmodSync, chownSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localChainId, localRoles, mintTestUsd } from '@ergon/contracts'
import { lowerAddress } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { startLocalChain } from '../constellation/local-chain.ts'
import { serviceUrl } from '../constellation/services.ts'
import { freePort } from '../ports.ts'
import { drawJob } from '../storm/jobs/job.ts'
import { playJob } from '../storm/jobs/play-job.ts'
import { seededRandom } from '../storm/random.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { readCompose, type ComposeService } from './compose-file.ts'
import { runToEnd, startContainer, type Runner } from './image.ts'
import { adapt, readDeployed } from './proxy.ts'
import { readSettings } from './settings-file.ts'

// A build takes minutes and gigabytes, and images to begin with that come over the network: whoever made the image
// names it, and how containers run on the machine.
const image = process.env['ERGON_IMAGE'] ?? ''
const runner: Runner = { words: (process.env['ERGON_PODMAN'] ?? 'podman').split(' '), image }
const user = 10_001
const compose = readCompose()

/** Text the operator changes, and the bytes of each secret. */
type Given = {
  readonly changes: readonly (readonly [from: string, to: string])[]
  readonly secrets: Readonly<Record<string, string>>
  readonly more: Readonly<Record<string, string>>
}

/** What a service of the file is started with, its secrets and folders being in `folder`. */
function asComposed(service: ComposeService, folder: string, { changes, secrets, more }: Given) {
  const file = readDeployed(service.env_file.slice('/etc/ergon/'.length))
  const mounts = service.secrets.map((name) => {
    const path = join(folder, name)
    writeFileSync(path, secrets[name] ?? '', { mode: 0o400 })
    chownSync(path, user, user)
    return `${path}:/run/secrets/${name}:ro`
  })
  const folders = (service.volumes ?? []).map((volume) => {
    const [name = '', inside = ''] = volume.split(':')
    mkdirSync(join(folder, name), { recursive: true })
    chownSync(join(folder, name), user, user)
    return `${join(folder, name)}:${inside}`
  })
  const env = new Map([
    ...readSettings(adapt(file, changes)),
    ...Object.entries(service.environment),
    ...Object.entries(more),
  ])
  return { command: service.command, env, mounts: [...mounts, ...folders] }
}

/** A container sees no socket of this machine's files. */
function overTcp(url: string): string {
  const address = new URL(url)
  address.searchParams.delete('host')
  return address.href
}

describe.runIf(image !== '')('the image', () => {
  test.each([
    ['apps/server/src/main.ts', 'SVC_NETWORKS'],
    ['apps/facilitator/src/main.ts', 'DATABASE_URL'],
    ['apps/gateway/src/main.ts', 'DATABASE_URL'],
  ])('ends with a plain sentence where %s has no settings', async (main, named) => {
    const { code, said } = await runToEnd(runner, 'node', main)
    expect([code, said.trim().split('\n').length]).toEqual([1, 1])
    expect(said).toContain(named)
  })

  test('runs as nobody in particular, and holds no compiler, no npm, no key and no history', async () => {
    const script = `id -u; for one in cc gcc make python3 npm git; do command -v $one; done;
      ls -a / /opt/ergon /root 2>/dev/null | grep -E '^\\.(npmrc|git|env)$';
      find / -xdev -path /proc -prune -o \\( -name '*.pem' -o -name '*npmrc' -o -name '*-key' \\) -print 2>/dev/null \\
        | grep -E '^/(opt/ergon/(apps|packages|[^/]*$)|root|home|etc/ergon)'; touch /opt/ergon/any 2>&1; node --version`
    const { said } = await runToEnd(runner, 'sh', '-c', script)
    expect(said.trim().split('\n')).toEqual([
      String(user),
      expect.stringContaining('Read-only file system'),
      expect.stringMatching(/^v24\./),
    ])
  })

  test('runs both services as compose.yml says: they pay a job, and end in time', async () => {
    await using parts = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'ergon-image-'))
    chmodSync(folder, 0o755)
    parts.defer(() => {
      rmSync(folder, { recursive: true, force: true })
    })
    const chain = parts.use(await startLocalChain({}))
    const databases = [parts.use(await createTestDatabase()), parts.use(await createTestDatabase())] as const
    const ports = { server: await freePort(), facilitator: await freePort() }
    const [url, facilitatorUrl] = [serviceUrl(ports.server), serviceUrl(ports.facilitator)]
    const adminKey = 'the key of the admin, 32 characters at least'
    const facilitator = parts.use(
      await startContainer(runner, {
        name: `ergon-facilitator-${String(ports.facilitator)}`,
        healthUrl: `${facilitatorUrl}/health`,
        ...asComposed(compose.services.facilitator, folder, {
          changes: [
            ['postgres://ergon:PASSWORD@127.0.0.1:5432/ergon_facilitator', overTcp(databases[1].url)],
            ['FACILITATOR_NETWORKS=base', 'FACILITATOR_NETWORKS=localnet'],
            ['FACILITATOR_RPC_BASE=https://node.example', `FACILITATOR_RPC_LOCALNET=${chain.rpcUrl}`],
          ],
          secrets: { 'gas-key': `${localRoles.facilitator.privateKey}\n` },
          more: {
            FACILITATOR_PORT: String(ports.facilitator),
            FACILITATOR_ORDER_DELEGATES: localRoles.service.address,
          },
        }),
      }),
    )
    const server = parts.use(
      await startContainer(runner, {
        name: `ergon-server-${String(ports.server)}`,
        healthUrl: `${url}/readyz`,
        ...asComposed(compose.services.server, folder, {
          changes: [
            ['https://market.example', url],
            ['postgres://ergon:PASSWORD@127.0.0.1:5432/ergon', overTcp(databases[0].url)],
            ['http://127.0.0.1:4021', facilitatorUrl],
            ['SVC_NETWORKS=base', 'SVC_NETWORKS=localnet'],
            ['SVC_RPC_BASE=https://node.example', `SVC_RPC_LOCALNET=${chain.rpcUrl}`],
          ],
          secrets: {
            'order-key': `${localRoles.service.privateKey}\n`,
            secret: 'a secret of more than thirty-two characters\n',
            'admin-key': `${adminKey}\n`,
          },
          more: { SVC_PORT: String(ports.server) },
        }),
      }),
    )
    const job = { ...drawJob(seededRandom(5), 1), kind: 'paid', dustAtomic: 0n, isPatient: true } as const
    await mintTestUsd(chain.rpcUrl, lowerAddress(job.payer.address), job.mintedAtomic)
    const ground = { url, chainId: localChainId, adminKey, passDeadline: async () => undefined }
    const played = await playJob(ground, job, performance.now() + 60_000)
    expect([played.isDone, played.failure]).toEqual([true, undefined])
    expect(await (await fetch(url)).text()).toContain('<title>')
    for (const [container, port, own] of [
      [facilitator, ports.facilitator, compose.services.facilitator],
      [server, ports.server, compose.services.server],
    ] as const) {
      const [, program = '', ...words] = own.healthcheck.test.map((word) =>
        word.replace(/:40\d\d\//, `:${String(port)}/`),
      )
      await container.exec(program, ...words)
    }
    for (const container of [server, facilitator]) {
      // A service says so itself where it takes more than 20 s; taking the container away takes time as well.
      const { code, said } = await container.stop()
      expect([code, said.includes('did not end')]).toEqual([0, false])
    }
  }, 400_000)
})

test('compose.yml gives both services little, says what the guide says, and opens ports of this machine alone', () => {
  for (const [name, port] of [
    ['facilitator', 4021],
    ['server', 4020],
  ] as const) {
    const service = compose.services[name]
    expect(service).toMatchObject({
      image: 'ergon',
      command: ['node', `apps/${name}/src/main.ts`],
      env_file: `/etc/ergon/${name}.env`,
      ports: [`127.0.0.1:${String(port)}:${String(port)}`],
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      // It is killed later than it gives up by itself.
      stop_grace_period: '25s',
    })
    for (const secret of service.secrets) expect(compose.secrets[secret]).toEqual({ file: `/etc/ergon/${secret}` })
    for (const value of Object.values(service.environment)) expect(value).toMatch(/^\/run\/secrets\/[a-z-]+$/)
  }
})
