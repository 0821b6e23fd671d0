import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request as ask, type RequestListener } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { signingVectors } from '@ergon/contract'
import { freePort, startConstellation, type Constellation } from '@ergon/dev-env'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPackage, type BuiltPackage } from './built-package.ts'

/** The published client, installed in an empty folder, in the runtimes that are not Node. */

const patienceMs = 240_000

type Runtime = {
  readonly name: 'Bun' | 'Deno'
  readonly version: string
  /** By processor: the package that is the program, and the bytes it has to be. */
  readonly packages: Readonly<Record<string, readonly [name: string, integrity: string]>>
  readonly program: string
  readonly words: readonly string[]
}
/** Fetched when this runs: 90 MB that nobody else needs are no part of `npm ci` (decision 0292). */
const runtimes: readonly Runtime[] = [
  {
    name: 'Bun',
    version: '1.4.5',
    packages: {
      x64: [
        '@oven/bun-linux-x64',
        'sha512-IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==',
      ],
      arm64: [
        '@oven/bun-linux-aarch64',
        'sha512-4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==',
      ],
    },
    program: 'bin/bun',
    words: ['run'],
  },
  {
    name: 'Deno',
    version: '2.9.6',
    packages: {
      x64: [
        '@deno/linux-x64-glibc',
        'sha512-3md4TKLCuzsLDmfOoC5KN7NAZaxSVkMgm64vg6foD00JBADCpYS2/5QqXfzgnP5ZQz3iLP9vBQJtEgc116OAoQ==',
      ],
      arm64: [
        '@deno/linux-arm64-glibc',
        'sha512-poqhoH9B3nYloigEMPT5t8HY+wBeiuea1An5Q7fqgJzP0SYmWsoS/oUnWO/pEiA4ofzIBy1Elt/in58xKtxEoQ==',
      ],
    },
    program: 'deno',
    // As at the edge: no file, no environment, no code out of a text.
    words: ['run', '--no-prompt', '--allow-net=127.0.0.1', '--v8-flags=--disallow-code-generation-from-strings'],
  },
]

let constellation: Constellation
let built: BuiltPackage
let frontPort: number
beforeAll(async () => {
  frontPort = await freePort()
  constellation = await startConstellation({
    ephemeral: true,
    env: { server: { SVC_AUTHORITIES: `127.0.0.1:${String(frontPort)}` } },
  })
  built = await buildPackage()
  writeFileSync(join(built.elsewhere, 'package.json'), '{"name":"elsewhere","private":true,"type":"module"}')
  await built.tool('npm', ['install', ...quiet, built.tarball])
  copyFileSync(fileURLToPath(new URL('job-in-a-runtime.ts', import.meta.url)), join(built.elsewhere, 'job.ts'))
}, patienceMs)
afterAll(async () => {
  built[Symbol.dispose]()
  await constellation.stop()
})

const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']

test.each(runtimes)(
  'a whole job under $name, with events, a photo, a lost answer, a session and a webhook',
  async (runtime) => {
    const folder = await install(runtime)
    const { serverUrl: url = '', wallets } = constellation.record()
    await using front = await listen(cutting(url), frontPort)
    await using silent = await listen(() => undefined)
    await using moved = await listen((_, response) => response.writeHead(307, { location: url }).end())
    const [wallet] = wallets.slice(runtimes.indexOf(runtime))
    const trial = {
      url,
      ...{
        cut: front.url,
        silent: silent.url,
        moved: moved.url,
        closed: `http://127.0.0.1:${String(await freePort())}`,
      },
      key: wallet?.privateKey,
      webhook: signingVectors.webhooks[0],
    }
    const said = await run(join(folder, runtime.program), [...runtime.words, 'job.ts', JSON.stringify(trial)])
    expect(JSON.parse(said)).toEqual({
      socket: 'TaskCreated',
      job: [0.87, 'completed'],
      stream: ['task.assigned', 'payment.released', '/api/v1/events/stream'],
      lost: ['published', 1],
      silent: 'timeout',
      closed: 'unreachable',
      moved: 'unreachable',
      refused: 'TASK_NOT_FOUND',
      'given up': 'enough',
      session: ['global'],
      webhook: 'task.created',
      forged: 'no_match',
    })
  },
  patienceMs,
)

/** The folder of the program, with the bytes that were tried. */
async function install({ name, version, packages }: Runtime): Promise<string> {
  const [program = '', integrity] = packages[process.arch] ?? []
  const folder = join(built.elsewhere, `with-${name}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  await built.tool('npm', ['install', ...quiet, `${program}@${version}`], folder)
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly integrity?: string }>>
  } // its documented shape
  expect(lock.packages[`node_modules/${program}`]?.integrity).toBe(integrity)
  return join(folder, 'node_modules', program)
}

async function run(program: string, words: readonly string[]): Promise<string> {
  const env = { ...process.env, DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(built.elsewhere, 'deno'), no_proxy: '*' }
  return (await promisify(execFile)(program, [...words], { cwd: built.elsewhere, env, timeout: 120_000 })).stdout
}

type Front = AsyncDisposable & { readonly url: string }

async function listen(answer: RequestListener, port?: number): Promise<Front> {
  const server = createServer(answer)
  const at = port ?? (await freePort())
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${String(at)}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

/**
 * Passes everything on, and hands back every answer but that to the first change. Deno then sends the same bytes again
 * by itself; their nonce is spent, and the client asks what became of its key.
 */
function cutting(url: string): RequestListener {
  let isCut = false
  return (request, response) => {
    const { method, headers, url: target = '' } = request
    const passed = ask(`${url}${target}`, { method, headers }, (answer) => {
      if (method !== 'POST' || isCut) {
        answer.pipe(response.writeHead(answer.statusCode ?? 0, answer.headers))
        return
      }
      isCut = true
      response.destroy()
    })
    request.pipe(passed)
  }
}
