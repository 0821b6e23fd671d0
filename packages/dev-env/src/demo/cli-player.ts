import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { lowerAddress, type Address } from '@ergon/protocols'
import { createClient } from '@ergon/sdk'
import { inheritedEnv } from '../node-service.ts'
import { until } from './until.ts'
import { dollars, type Narrator } from './narrator.ts'
import { drawPicture } from './picture.ts'
import type { Job, JobScores } from './play.ts'

type Data = Readonly<Record<string, unknown>>
type Who = 'publisher' | 'worker'

/** The two sides of the job, however they speak to the service. */
export type Player = Disposable & {
  readonly publisher: Address
  readonly worker: Address
  fund(narrator: Narrator, rpcUrl: string, atomic: bigint): Promise<void>
  play(narrator: Narrator, bountyAtomic: bigint, scores: JobScores): Promise<Job>
}

const binary = fileURLToPath(import.meta.resolve('@ergon/cli/main'))

/** Makes both wallets with `ergon init`; their keys never leave the two encrypted files. */
export async function openCliPlayer(serverUrl: string): Promise<Player> {
  const home = mkdtempSync(join(tmpdir(), 'ergon-demo-'))
  const ergon = (who: Who, ...line: readonly string[]): Promise<Data> => runBinary(home, serverUrl, who, line)
  try {
    const [publisher, worker] = [
      await ergon('publisher', 'init', '--network', 'localnet'),
      await ergon('worker', 'init', '--network', 'localnet'),
    ]
    return {
      publisher: lowerAddress(String(publisher['address'])),
      worker: lowerAddress(String(worker['address'])),
      async fund(narrator, rpcUrl, atomic) {
        narrator.step('Two fresh wallets, each made with ergon init; neither has any ETH')
        narrator.detail('publisher', String(publisher['address']))
        narrator.detail('worker', String(worker['address']))
        // The faucet gives whole dollars.
        const usd = String((atomic + 999_999n) / 1_000_000n)
        narrator.step(`publisher$ ergon faucet ${usd}`)
        await ergon('publisher', 'faucet', usd, '--rpc', rpcUrl)
      },
      play: (narrator, bountyAtomic, scores) => play({ home, serverUrl, ergon, narrator, bountyAtomic, scores }),
      [Symbol.dispose]() {
        rmSync(home, { recursive: true, force: true })
      },
    }
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    throw error
  }
}

type Stage = {
  readonly home: string
  readonly serverUrl: string
  readonly ergon: (who: Who, ...line: readonly string[]) => Promise<Data>
  readonly narrator: Narrator
  readonly bountyAtomic: bigint
  readonly scores: JobScores
}

async function play({ home, serverUrl, ergon, narrator, bountyAtomic, scores }: Stage): Promise<Job> {
  const say = async (who: Who, ...line: readonly string[]): Promise<Data> => {
    narrator.step(`${who}$ ergon ${line.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ')}`)
    return ergon(who, ...line)
  }
  writeFileSync(
    join(home, 'task.json'),
    JSON.stringify({
      title: 'Photograph the notice board',
      instructions:
        'Take one photo of the notice board at the town hall, add your position and the heading of the newest notice.',
      category: 'physical_presence',
      bounty_usd: Number(dollars(bountyAtomic)),
      deadline_hours: 24,
      evidence_required: ['photo', 'gps', 'text_response'],
      location_hint: 'Town hall, main entrance',
    }),
  )
  const told = (label: string, value: unknown): void => {
    if (typeof value === 'string') narrator.detail(label, value)
  }
  const taskId = String((await say('publisher', 'task', 'publish', '-f', 'task.json'))['id'])
  writeFileSync(join(home, 'board.jpg'), drawPicture(taskId))
  const executor = String((await say('worker', 'worker', 'register', '--name', 'Demo worker'))['id'])
  await say('worker', 'apply', taskId)
  const assignment = await say('publisher', 'assign', taskId, executor, '--yes')
  told('lock', assignment['escrow_tx'])
  await say(
    'worker',
    'submit',
    taskId,
    '--photo',
    'board.jpg',
    '--gps',
    '48.2082,16.3738,6',
    '--text',
    'Newest notice: Summer opening hours',
  )
  const submission = await say('publisher', 'review', taskId)
  told(
    'checks',
    `${String(submission['verification'])}, score ${String(submission['pre_check_score'])}, coverage ${String(submission['coverage'])}`,
  )
  const approval = await say('publisher', 'approve', taskId, '--yes')
  const release = hash(approval['payment_tx']) ?? hash(approval['escrow_release_tx'])
  told('payment', release)
  await say('publisher', 'wait', taskId, '--timeout', '60')
  const stranger = createClient({ baseUrl: serverUrl })
  const { fee_tx } = await until(
    'the fee',
    () => stranger.payments.get({ task_id: taskId }),
    (payment) => payment.fee_tx !== null,
  )
  told('fee', fee_tx)
  const rateWorker = await say('publisher', 'rate', taskId, String(scores.worker))
  told('rating', rateWorker['transaction_hash'])
  const ratePublisher = await say('worker', 'rate', taskId, String(scores.publisher))
  told('rating', ratePublisher['transaction_hash'])
  return {
    taskId,
    scores,
    txs: {
      authorize: hash(assignment['escrow_tx']),
      release,
      distribute_fees: fee_tx,
      rate_worker: hash(rateWorker['transaction_hash']),
      rate_publisher: hash(ratePublisher['transaction_hash']),
    },
  }
}

async function runBinary(home: string, serverUrl: string, who: Who, line: readonly string[]): Promise<Data> {
  const env = {
    ...inheritedEnv(),
    HOME: home,
    ERGON_HOME: home,
    ERGON_URL: serverUrl,
    ERGON_PASSPHRASE: 'demo',
  }
  const child = spawn(process.execPath, [binary, ...line, '--profile', who, '--json'], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 90_000,
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  // With --json the last line of a command that succeeds is this object.
  if (code === 0) return (JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as { readonly data: Data }).data
  throw new Error(`ergon ${line.join(' ')} ended with ${String(code)}: ${err}`)
}

function hash(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
