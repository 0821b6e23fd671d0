import { parseArgs } from 'node:util'
import { paymentModes } from '../constellation/options.ts'
import type { ConstellationOptions, PaymentMode } from '../constellation/options.ts'

export type StartOptions = ConstellationOptions & { readonly json: boolean; readonly help: boolean }

export const startUsage = `npm start -- [options]

  --data DIR   where everything is kept (default: .ergon at the root of the project)
  --mode M     how payments work: fase1 (settled at approval, no escrow), fase2 (escrow, the default),
                fase5 (escrow, the balance is not asked before)
  --no-app     without the app for people; it is built when its sources changed
  --reset      forget what is kept and begin anew
  --json       print one line of JSON when ready, and nothing else
  --help       print this

  DATABASE_URL, if set, names a PostgreSQL from 15 to use instead of the embedded one.`

/** Throws with a message for the reader when an option is unknown or its value is. */
export function readStartOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): StartOptions {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      data: { type: 'string' },
      mode: { type: 'string' },
      app: { type: 'boolean', default: true },
      reset: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const databaseUrl = env['DATABASE_URL']
  return {
    json: values.json,
    help: values.help,
    reset: values.reset,
    web: values.app,
    ...(values.data === undefined ? {} : { dataDir: values.data }),
    ...(values.mode === undefined ? {} : { paymentMode: readMode(values.mode) }),
    ...(databaseUrl === undefined || databaseUrl === '' ? {} : { databaseUrl }),
  }
}

function readMode(word: string): PaymentMode {
  const mode = paymentModes.find((known) => known === word)
  if (mode === undefined) throw new Error(`--mode must be one of ${paymentModes.join(', ')}`)
  return mode
}
