import { parseArgs } from 'node:util'
import { paymentModes } from '../constellation/options.ts'
import type { PaymentMode } from '../constellation/options.ts'

/** How the two parties of the main job speak to the service. */
export const vias = ['rest', 'cli', 'mcp', 'a2a'] as const
export type Via = (typeof vias)[number]

export type DemoOptions = {
  readonly via: Via
  readonly json: boolean
  readonly keep: boolean
  /** The further stories too. */
  readonly all: boolean
  readonly help: boolean
  readonly bountyAtomic: bigint
  readonly paymentMode: PaymentMode | undefined
  /** A job that is paid by the unit, instead of the main job. */
  readonly isMetered: boolean
  readonly dataDir: string | undefined
}

export const demoUsage = `npm run demo -- [options]

  --bounty USD  what the task pays, 0.01 to 100 (default 1.00)
  --mode M      fase1 (paid at approval, no escrow), fase2 (escrow), fase5 (escrow, balance not asked before) or
                channel (paid by the unit out of a channel on Solana; --bounty is its cap)
  --via HOW     rest (the client over HTTP, the default), cli (every step is a command of ergon),
                mcp (every step is a tool) or a2a (every step is a message between agents)
  --data DIR    where to look for what npm start has brought up (default: .ergon at the root of the project)
  --all         after the main job also a job between two people, a dispute that is split, a deadline that
                passes, silence that pays, and a dispute that outlives its first deadline
  --keep        leave a constellation that was started for the demo up until Ctrl-C
  --json        print one line of JSON last; what happens is told on stderr
  --help        print this

  Without a running npm start of the wanted mode, everything is brought up for the demo and taken down after it.`

/** @throws with a message for the reader when an option is unknown or its value is. */
export function readDemoOptions(args: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      bounty: { type: 'string', default: '1.00' },
      mode: { type: 'string' },
      via: { type: 'string', default: 'rest' },
      data: { type: 'string' },
      all: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    via: readVia(values.via),
    json: values.json,
    keep: values.keep,
    all: values.all,
    help: values.help,
    bountyAtomic: readBounty(values.bounty),
    isMetered: readMetered(values),
    paymentMode: values.mode === 'channel' ? undefined : readMode(values.mode),
    dataDir: values.data,
  }
}

function readBounty(text: string): bigint {
  const [, whole = '', part = ''] = /^(\d{1,3})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  const atomic = BigInt(`${whole}${part.padEnd(6, '0')}`)
  if (whole === '' || atomic < 10_000n || atomic > 100_000_000n)
    throw new Error('--bounty must be an amount from 0.01 to 100')
  return atomic
}

/** The metered job is told once, over HTTP. */
function readMetered({
  mode,
  via,
  all,
}: {
  readonly mode?: string
  readonly via: string
  readonly all: boolean
}): boolean {
  if (mode !== 'channel') return false
  if (via !== 'rest' || all) throw new Error('--mode channel goes with neither --via nor --all')
  return true
}

function readVia(word: string): Via {
  const via = vias.find((known) => known === word)
  if (via === undefined) throw new Error(`--via must be one of ${vias.join(', ')}`)
  return via
}

function readMode(word: string | undefined): PaymentMode | undefined {
  if (word === undefined) return undefined
  const mode = paymentModes.find((known) => known === word)
  if (mode === undefined) throw new Error(`--mode must be one of ${paymentModes.join(', ')}, channel`)
  return mode
}
