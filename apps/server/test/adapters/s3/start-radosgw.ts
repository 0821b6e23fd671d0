import { freePort } from '@ergon/dev-env'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A Ceph object gateway of its own: monitor, one storage daemon in memory, S3 over HTTP with real SigV4 checks. */
export type ObjectGateway = AsyncDisposable & {
  readonly endpoint: string
  readonly accessKey: string
  readonly secretKey: string
  /** Process ids, the gateway's last. */
  readonly pids: readonly number[]
}

const run = promisify(execFile)
const deadlineMs = 55_000

export async function startRadosgw(): Promise<ObjectGateway> {
  await using parts = new AsyncDisposableStack()
  const dir = await mkdtemp(join(tmpdir(), 'ergon-rgw-'))
  parts.defer(() => rm(dir, { recursive: true, force: true }))
  const cluster = await layOut(dir)
  const daemons: ChildProcess[] = []
  const daemon = (program: string, ...args: string[]): void => {
    const child = spawn(program, ['-f', '-c', cluster.conf, ...args], { stdio: 'ignore' })
    daemons.push(child)
    parts.defer(() => ended(child))
  }
  daemon('ceph-mon', '-i', 'a')
  // Storage daemon 0 is told to the monitor under the id its own files carry.
  await run('ceph', [
    '-c',
    cluster.conf,
    '-n',
    'client.admin',
    '--keyring',
    cluster.keyring,
    '--connect-timeout',
    '20',
    'osd',
    'new',
    cluster.osdId,
  ])
  await run('ceph-osd', ['-c', cluster.conf, '-i', '0', '--mkfs', '--osd-uuid', cluster.osdId])
  daemon('ceph-osd', '-i', '0')
  const [accessKey, secretKey] = ['ERGONTESTKEY', randomBytes(20).toString('hex')]
  await run(
    'radosgw-admin',
    [
      '-c',
      cluster.conf,
      '-n',
      'client.rgw.a',
      '--keyring',
      cluster.keyring,
      'user',
      'create',
      '--uid',
      'ergon',
      '--display-name',
      'ergon',
      '--access-key',
      accessKey,
      '--secret-key',
      secretKey,
    ],
    { timeout: deadlineMs },
  )
  daemon(
    'radosgw',
    '-n',
    'client.rgw.a',
    '--keyring',
    cluster.keyring,
    '--rgw-frontends',
    `beast endpoint=127.0.0.1:${String(cluster.port)}`,
  )
  const endpoint = `http://127.0.0.1:${String(cluster.port)}`
  await answering(endpoint)
  const owned = parts.move()
  return {
    endpoint,
    accessKey,
    secretKey,
    pids: daemons.flatMap(({ pid }) => pid ?? []),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

type Cluster = { readonly conf: string; readonly keyring: string; readonly osdId: string; readonly port: number }

async function layOut(dir: string): Promise<Cluster> {
  const [monPort, port] = [await freePort(), await freePort()]
  const [fsid, osdId] = [randomUUID(), randomUUID()]
  const at = (name: string): string => join(dir, name)
  const [conf, keyring, monmap] = [at('ceph.conf'), at('keyring'), at('monmap')]
  for (const folder of ['mon', 'osd', 'run']) await mkdir(at(folder))
  await writeFile(
    conf,
    `[global]
fsid = ${fsid}
mon host = [v2:127.0.0.1:${String(monPort)}]
run dir = ${at('run')}
admin socket =
pid file =
log file =
mon cluster log file =
mon data = ${at('mon')}
osd data = ${at('osd')}
osd objectstore = memstore
memstore device bytes = 536870912
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon max pg per osd = 500
public addr = 127.0.0.1
cluster addr = 127.0.0.1
rgw dns name =
`,
  )
  const key = (name: string, caps: readonly string[]): Promise<unknown> =>
    run('ceph-authtool', [keyring, '--gen-key', '-n', name, ...caps.flatMap((cap) => ['--cap', cap, 'allow *'])])
  await run('ceph-authtool', ['--create-keyring', keyring])
  await key('mon.', ['mon'])
  await key('client.admin', ['mon', 'osd'])
  await key('client.rgw.a', ['mon', 'osd'])
  await key('osd.0', ['mon', 'osd'])
  await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', `[v2:127.0.0.1:${String(monPort)}]`, monmap])
  await run('ceph-mon', ['-c', conf, '--mkfs', '-i', 'a', '--monmap', monmap, '--keyring', keyring])
  await copyFile(keyring, join(dir, 'osd', 'keyring'))
  return { conf, keyring, osdId, port }
}

async function answering(endpoint: string): Promise<void> {
  const end = performance.now() + deadlineMs
  while (
    !(await fetch(endpoint).then(
      (reply) => reply.ok,
      () => false,
    ))
  ) {
    if (performance.now() > end) throw new Error('the object gateway did not come up')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL') // all it holds is in memory
  await gone
}
