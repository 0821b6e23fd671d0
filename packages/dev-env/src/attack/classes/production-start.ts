import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { localAccounts } from '@ergon/contracts'
import { generatePrivateKey } from '@ergon/protocols'
import { inheritedEnv } from '../../node-service.ts'
import { endProcess } from '../../stopping.ts'
import { spawnTethered } from '../../tether.ts'
import { createTally, type AttackClass } from '../attack-class.ts'
import { inWaves } from '../waves.ts'

type Env = Readonly<Record<string, string | undefined>>

const startMs = 20_000
/** Nothing listens on this port of loopback: a start that gets past its settings fails there. */
const nowhere = '127.0.0.1:1'
const published = localAccounts[0]?.privateKey

/** Starts where money is real, with what belongs to development. */
export const productionStart: AttackClass = {
  name: 'development settings in production',
  on: 'any',
  held: 'a start beside a real network refuses published keys, short secrets, plain http, fixtures and faucets',
  async attack() {
    const tally = createTally()
    const spoilt = [
      ...starts('server', serverEnv(), serverChanges),
      ...starts('facilitator', facilitatorEnv(), facilitatorChanges),
    ]
    const endings = await inWaves(spoilt.length, 3, async (index) =>
      startOf(spoilt[index]?.app ?? 'server', spoilt[index]?.env ?? {}),
    )
    for (const [index, { app, named }] of spoilt.entries()) {
      const { code, said } = endings[index] ?? { code: null, said: '' }
      // A good start gets past its settings and fails at its database, so a refusal names the setting.
      const isRefused =
        code === 1 &&
        (named === '' ? !said.includes('real network') : said.includes(named) && !said.includes('ECONNREFUSED'))
      tally.attempt(
        `${app} with ${named === '' ? 'good settings' : named}: ended with ${String(code)}, ${said.slice(0, 160)}`,
        isRefused,
      )
    }
    return tally.score()
  },
}

/** One of each kind; a start takes a second of CPU, so the rest is left to the tests of the settings. */
const serverChanges: readonly (readonly [string, Env])[] = [
  ['', {}],
  ['SVC_ORDER_SIGNER_KEY', { SVC_ORDER_SIGNER_KEY: published }],
  ['SVC_ADMIN_KEY', { SVC_ADMIN_KEY: 'open sesame' }],
  ['SVC_BASE_URL', { SVC_BASE_URL: 'http://market.example' }],
  ['SVC_FAUCET_URL', { SVC_WEB_DIR: './dist', SVC_FAUCET_URL: 'https://faucet.example' }],
]
const facilitatorChanges: readonly (readonly [string, Env])[] = [
  ['', {}],
  ['FACILITATOR_KEY', { FACILITATOR_KEY: published }],
  ['FACILITATOR_ADMIN_TOKEN', { FACILITATOR_ADMIN_TOKEN: 'short' }],
]

type Start = { readonly app: 'server' | 'facilitator'; readonly named: string; readonly env: Env }

function starts(app: Start['app'], good: Env, changes: readonly (readonly [string, Env])[]): readonly Start[] {
  return changes.map(([named, change]) => ({ app, named, env: { ...good, ...change } }))
}

const random = (): string => randomBytes(32).toString('base64url')

function serverEnv(): Env {
  return {
    SVC_PORT: '0',
    SVC_DATABASE_WAIT_MS: '0',
    DATABASE_URL: `postgres://nobody@${nowhere}/ergon`,
    SVC_NETWORKS: 'base',
    SVC_RPC_BASE: `http://${nowhere}`,
    SVC_FACILITATOR_URL: `http://${nowhere}`,
    SVC_BASE_URL: 'https://market.example',
    SVC_ORDER_SIGNER_KEY: generatePrivateKey(),
    SVC_SECRET: random(),
    SVC_ADMIN_KEY: random(),
  }
}

function facilitatorEnv(): Env {
  return {
    FACILITATOR_PORT: '0',
    FACILITATOR_DATABASE_WAIT_MS: '0',
    DATABASE_URL: `postgres://nobody@${nowhere}/facilitator`,
    FACILITATOR_NETWORKS: 'base',
    FACILITATOR_RPC_BASE: `http://${nowhere}`,
    FACILITATOR_KEY: generatePrivateKey(),
    FACILITATOR_ADMIN_TOKEN: random(),
  }
}

type Ending = { readonly code: number | null; readonly said: string }

/** Starts a service as an operator does; one that does not end by itself has started. */
async function startOf(app: Start['app'], env: Env): Promise<Ending> {
  const main = fileURLToPath(new URL(`../../../../../apps/${app}/src/main.ts`, import.meta.url))
  const child = spawnTethered(process.execPath, [main], {
    lastSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inheritedEnv(), ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => {
      said += data.toString()
    })
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      resolve(code)
    })
  })
  const timer = setTimeout(() => {
    void endProcess(child, 'SIGKILL', 0)
  }, startMs)
  const code = await ended
  clearTimeout(timer)
  return { code, said: said.trim() }
}
