import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const longMs = 120_000

/** The client as it is published, and a folder that knows nothing of this repository. */
export type BuiltPackage = Disposable & {
  /** The unpacked package. */
  readonly folder: string
  readonly tarball: string
  /** An empty folder. */
  readonly elsewhere: string
  /** A program of this repository's tools, elsewhere unless told. */
  tool(name: string, args: readonly string[], cwd?: string, env?: Readonly<Record<string, string>>): Promise<string>
}

export async function buildPackage(): Promise<BuiltPackage> {
  const base = mkdtempSync(join(tmpdir(), 'ergon-sdk-'))
  const [folder, elsewhere] = [join(base, 'package'), mkdtempSync(join(base, 'elsewhere-'))]
  const tool: BuiltPackage['tool'] = (name, args, cwd = elsewhere, env = {}) => {
    const program = name === 'npm' ? 'npm' : name === 'node' ? process.execPath : join(root, 'node_modules/.bin', name)
    return run(program, args, { cwd, env: { ...process.env, ...env } })
  }
  await tool('npm', ['run', '--silent', 'build', '--workspace', 'packages/sdk', '--', folder], root)
  await tool('npm', ['pack', '--silent', '--pack-destination', base], folder)
  const name = readdirSync(base).find((one) => one.endsWith('.tgz'))
  if (name === undefined) throw new Error('nothing was packed')
  return {
    folder,
    elsewhere,
    tarball: join(base, name),
    tool,
    [Symbol.dispose]: () => {
      rmSync(base, { recursive: true, force: true })
    },
  }
}

async function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  try {
    return (await promisify(execFile)(program, [...args], { ...options, timeout: longMs, maxBuffer: 16 * 1024 * 1024 }))
      .stdout
  } catch (error) {
    // A compiler complains on its output, and that is what a failing test has to show.
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    throw new Error(`${program} ${args.join(' ')}\n${stdout}\n${stderr}`, { cause: error })
  }
}

/** What a page loads to run these lines, which import `@ergon/sdk` as it is installed in the folder. */
export async function bundle(lines: string, folder: string): Promise<string> {
  const entry = join(folder, 'entry.js')
  const build = await rolldown({
    input: entry,
    platform: 'browser',
    treeshake: true,
    plugins: [
      { name: 'lines', resolveId: (id) => (id === entry ? entry : null), load: (id) => (id === entry ? lines : null) },
    ],
  })
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false })
  await build.close()
  return output[0].code
}
