import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inheritedEnv } from '../node-service.ts'
import { endProcess } from '../stopping.ts'
import { spawnTethered } from '../tether.ts'

const linesTold = 30

/** Runs the app's own `vite build` on this Node. @throws with the end of what the build said when it fails */
export async function buildWeb(app: string, timeoutMs: number): Promise<void> {
  // What a failed build leaves is no app.
  rmSync(join(app, 'dist'), { recursive: true, force: true })
  const child = spawnTethered(process.execPath, [viteMain(app), 'build'], {
    lastSignal: 'SIGKILL',
    cwd: app,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Tests set another NODE_ENV for themselves, and that one would be built into the page.
    env: { ...inheritedEnv(), NODE_ENV: 'production', NO_COLOR: '1' },
  })
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('the build of apps/web has no output')
  const output = Promise.all([text(stdout), text(stderr)])
  const timer = setTimeout(() => {
    void endProcess(child, 'SIGKILL', 0)
  }, timeoutMs)
  try {
    // 'close' comes after the output has ended.
    await once(child, 'close')
    if (child.exitCode !== 0)
      throw new Error(
        `apps/web could not be built (exit ${String(child.exitCode ?? child.signalCode)}); the end of its output:\n${endOf((await output).join('\n'))}`,
      )
  } finally {
    clearTimeout(timer)
  }
}

function viteMain(app: string): string {
  const require = createRequire(join(app, 'package.json'))
  try {
    return join(dirname(require.resolve('vite/package.json')), 'bin/vite.js')
  } catch (cause) {
    throw new Error('apps/web cannot be built: vite is not installed; run npm ci', { cause })
  }
}

function endOf(said: string): string {
  return said.trim().split('\n').slice(-linesTold).join('\n')
}
