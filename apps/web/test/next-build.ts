import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** A built app in a folder of its own, and what the next build of it would have put there. */
export type DeployedApp = Disposable & {
  readonly dir: string
  readonly deployNext: (say: readonly [now: string, then: string]) => void
}

/** Every file of the next build has another name, and its pages say something else. */
export function deployApp(built: string): DeployedApp {
  const dir = mkdtempSync(join(tmpdir(), 'ergon-deployed-'))
  cpSync(built, dir, { recursive: true })
  for (const path of filesBelow(dir)) if (/\.(?:br|gz)$/.test(path)) rmSync(path)
  return {
    dir,
    deployNext([now, then]) {
      const assets = readdirSync(join(dir, 'assets')).filter((name) => /\.(?:js|css)$/.test(name))
      const renewed = (text: string): string =>
        assets.reduce((whole, name) => whole.replaceAll(name, nextName(name)), text)
      for (const path of filesBelow(dir)) {
        if (!/\.(?:js|css|html|json)$/.test(path)) continue
        writeFileSync(
          path,
          renewed(readFileSync(path, 'utf8'))
            .replaceAll(now, then)
            .replace(/(\\"id\\":\\")\w/, '$1z'),
        )
        if (assets.includes(basename(path))) renameSync(path, join(dir, 'assets', nextName(basename(path))))
      }
    },
    [Symbol.dispose]() {
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

const nextName = (name: string): string => name.replace(/\.(js|css)$/, '_next.$1')

function filesBelow(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
