import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { logTail } from '../log-tail.ts'
import { endProcess, hasEnded } from '../stopping.ts'
import { spawnTethered } from '../tether.ts'
import { waitFor } from '../waiting.ts'

export type ProxyName = 'nginx' | 'caddy'
export const proxyNames: readonly ProxyName[] = ['nginx', 'caddy']

export type ProxyOptions = {
  readonly folder: string
  readonly ports: { readonly https: number; readonly http: number; readonly servers: readonly [number, number] }
}
/** A proxy with the configuration of `deploy/`; `ca` is the certificate that its callers have to trust. */
export type Proxy = AsyncDisposable & { readonly url: string; readonly ca: string }

type Certificate = { readonly cert: string; readonly key: string }
type Command = { readonly command: string; readonly args: readonly string[] }

/** A file of the folder that operators copy from. */
export function readDeployed(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../../deploy/${name}`, import.meta.url)), 'utf8')
}

/** What an operator changes. Each text has to be there: the test tries what is handed out, and nothing else. */
export function adapt(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((done, [from, to]) => {
    if (!done.includes(from)) throw new Error(`the file does not say ${from}`)
    return done.replaceAll(from, to)
  }, text)
}

/** Starts Debian's nginx or Caddy in front of two servers, as the file of `deploy/` says. */
export async function startProxy(name: ProxyName, { folder, ports }: ProxyOptions): Promise<Proxy> {
  mkdirSync(folder, { recursive: true })
  const certificate = makeCertificate(folder)
  const { command, args } = { nginx: nginxCommand, caddy: caddyCommand }[name](folder, ports, certificate)
  if (spawnSync('which', [command]).status !== 0)
    throw new Error(`the test needs ${command}: apt-get install ${command}`)
  const logFile = join(folder, 'proxy.log')
  const output = openSync(logFile, 'a')
  const child = spawnTethered(command, args, {
    lastSignal: 'SIGTERM',
    stdio: ['ignore', output, output],
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  closeSync(output)
  const url = `https://localhost:${String(ports.https)}`
  const plain = `http://127.0.0.1:${String(ports.http)}`
  try {
    await waitFor(
      () => {
        if (hasEnded(child)) throw new Error(`${name} ended:\n${logTail(logFile)}`)
        return fetch(plain, { redirect: 'manual' }).then(
          () => true,
          () => undefined,
        )
      },
      { timeoutMs: 10_000, everyMs: 50, what: name },
    )
  } catch (error) {
    await endProcess(child, 'SIGKILL', 0)
    throw error
  }
  return {
    url,
    ca: readFileSync(certificate.cert, 'utf8'),
    [Symbol.asyncDispose]: () => endProcess(child, 'SIGTERM', 5_000),
  }
}

/** One for the name localhost that signs itself. */
export function makeCertificate(folder: string): Certificate {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const made = ['-x509', '-nodes', '-days', '2', '-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', ...curve, ...made, ...subject], { stdio: 'pipe' })
  return { cert, key }
}

function nginxCommand(folder: string, { https, http, servers }: ProxyOptions['ports'], of: Certificate): Command {
  const [first, second] = servers.map(String)
  const site = adapt(readDeployed('nginx.conf'), [
    ['listen 80;', `listen 127.0.0.1:${String(http)};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${String(https)} ssl http2;`],
    ['listen [::]:80;', ''],
    ['listen [::]:443 ssl http2;', ''],
    ['/etc/letsencrypt/live/market.example/fullchain.pem', of.cert],
    ['/etc/letsencrypt/live/market.example/privkey.pem', of.key],
    ['market.example', 'localhost'],
    ['# server 127.0.0.1:4030', `server 127.0.0.1:${second ?? ''}`],
    ['127.0.0.1:4020', `127.0.0.1:${first ?? ''}`],
  ])
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  )
  const main = join(folder, 'nginx.conf')
  writeFileSync(
    main,
    `user root;\ndaemon off;\nworker_processes 2;\npid ${join(folder, 'pid')};\nerror_log stderr;\nevents {}\n` +
      `http {\naccess_log off;\n${temporary.join('\n')}\n${site}\n}\n`,
  )
  return { command: 'nginx', args: ['-e', 'stderr', '-c', main] }
}

function caddyCommand(folder: string, { https, http, servers }: ProxyOptions['ports'], of: Certificate): Command {
  const [first, second] = servers.map(String)
  const site = adapt(readDeployed('Caddyfile'), [
    ['\nmarket.example {', `\nhttps://localhost {\n\ttls ${of.cert} ${of.key}`],
    ['to 127.0.0.1:4020', `to 127.0.0.1:${second ?? ''} 127.0.0.1:${first ?? ''}`],
    ['127.0.0.1:4020', `127.0.0.1:${first ?? ''} 127.0.0.1:${second ?? ''}`],
  ])
  const main = join(folder, 'Caddyfile')
  writeFileSync(
    main,
    `{\n\tadmin off\n\thttp_port ${String(http)}\n\thttps_port ${String(https)}\n\tskip_install_trust\n}\n${site}`,
  )
  return { command: 'caddy', args: ['run', '--config', main, '--adapter', 'caddyfile'] }
}
