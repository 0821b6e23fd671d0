import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { waitFor } from '../waiting.ts'

const run = promisify(execFile)

/** How containers are run here: a program and its first words, such as `podman --root DIR`. */
export type Runner = { readonly words: readonly string[]; readonly image: string }
export type Ended = { readonly code: number; readonly said: string }

export type ContainerOptions = {
  readonly name: string
  readonly command: readonly string[]
  readonly env?: ReadonlyMap<string, string>
  /** Folders and files of this machine, and where they are inside; `:ro` behind what is only read. */
  readonly mounts?: readonly string[]
  readonly healthUrl: string
}

export type Container = AsyncDisposable & {
  /** Runs a program beside the service. */
  exec(...words: readonly string[]): Promise<string>
  /** Tells it to end as a service manager does; how it ended. */
  stop(): Promise<Ended>
}

/** As `compose.yml` runs them, on the network of this machine. */
const confined = [
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
] as const

const start = (runner: Runner, name: string, words: readonly string[]) => {
  const [program = '', ...first] = runner.words
  const all = [...first, 'run', '--rm', '--name', name, '--network=host', ...confined, ...words]
  const child = spawn(program, all, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()))
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => {
      resolve({ code: code ?? -1, said })
    })
  })
  return { child, ended, said: () => said }
}

/** Runs a command of the image to its end. */
export function runToEnd(runner: Runner, ...command: readonly string[]): Promise<Ended> {
  return start(runner, `ergon-once-${String(process.pid)}-${String(performance.now() | 0)}`, [runner.image, ...command])
    .ended
}

/** Starts a service of the image and waits until it is well. Throws what it said where it ends before. */
export async function startContainer(runner: Runner, options: ContainerOptions): Promise<Container> {
  const { name, command, env = new Map(), mounts = [], healthUrl } = options
  const [program = '', ...first] = runner.words
  const settings = [...env].map(([setting, value]) => `--env=${setting}=${value}`)
  const container = start(runner, name, [
    ...settings,
    ...mounts.map((mount) => `--volume=${mount}`),
    runner.image,
    ...command,
  ])
  let over: Ended | undefined
  void container.ended.then((ended) => (over = ended))
  const stop = async () => {
    if (over === undefined) await run(program, [...first, 'kill', '--signal=TERM', name])
    return container.ended
  }
  const isWell = async (): Promise<true | undefined> => {
    if (over !== undefined) throw new Error(`${name} did not start: ${over.said}`)
    return (await fetch(healthUrl).catch(() => undefined))?.ok === true ? true : undefined
  }
  await waitFor(isWell, { timeoutMs: 150_000, everyMs: 100, what: name })
  return {
    exec: async (...words) => (await run(program, [...first, 'exec', name, ...words])).stdout,
    stop,
    [Symbol.asyncDispose]: async () => {
      if (over === undefined) await run(program, [...first, 'rm', '--force', '--time=0', name]).catch(() => undefined)
      await container.ended
    },
  }
}
