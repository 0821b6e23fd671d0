import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@ergon/dev-env'
import { pathTo } from './path-to.ts'
import { openSession, untilListening, type WebDriver } from './webdriver.ts'

/** Debian's WebKitGTK, the engine of Safari, on a display that nobody sees. */
export type Webkit = AsyncDisposable & {
  /** A browser with a private window, which ends with it. */
  readonly open: () => Promise<WebkitWindow>
  /** Its home, where saved files go; it ends with it. */
  readonly folder: string
}

export type WebkitWindow = WebDriver & AsyncDisposable & { /** Goes with the browser. */ readonly folder: string }

const debian = 'webkit2gtk-driver'

export async function openWebkit(): Promise<Webkit> {
  const programs = { driver: pathTo('WebKitWebDriver', 'WebKit', debian), display: pathTo('Xvfb', 'a display', 'xvfb') }
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  if (binary === undefined) throw new Error(`${programs.driver} came without the browser of ${debian}`)
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'ergon-webkit-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  await narrowButtons(folder)
  const display = stack.adopt(
    spawn(programs.display, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    }),
    end,
  )
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    DISPLAY: `:${await firstLineOf(display)}`,
    LANG: 'en_GB.UTF-8',
    TMPDIR: folder,
  }
  const owned = stack.move()
  return {
    folder,
    async open() {
      await using parts = new AsyncDisposableStack()
      // A driver drives one browser.
      const port = await freePort()
      parts.adopt(spawn(programs.driver, [`--port=${String(port)}`], { env, stdio: 'ignore' }), end)
      const url = `http://127.0.0.1:${String(port)}`
      await untilListening(url)
      const driver = await openSession(url, { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } })
      parts.defer(() => driver.end())
      const kept = parts.move()
      return { ...driver, folder, [Symbol.asyncDispose]: () => kept.disposeAsync() }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The buttons around a page would keep the window from becoming as narrow as a phone. */
async function narrowButtons(folder: string): Promise<void> {
  await mkdir(join(folder, 'gtk-3.0'))
  await writeFile(join(folder, 'gtk-3.0/gtk.css'), 'window * { min-width: 0; margin: 0; border: 0; padding: 0 }')
}

async function firstLineOf({ stdio: [, , , pipe] }: ChildProcess): Promise<string> {
  if (pipe === null || pipe === undefined) throw new Error('the display has no way to say its number')
  const [said] = (await once(pipe, 'data')) as [Buffer] // nothing set its encoding
  return said.toString().trim()
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}
