/**
 * `npm run build -w packages/cli [-- <folder>]`: the command line as it is published: one bundle with all it needs, and
 * the file that starts it.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

type Manifest = {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
}

const here = fileURLToPath(new URL('..', import.meta.url))
const root = join(here, '../..')

/** Written for every Node there is, so that an old one says what it lacks instead of pointing at a comma. */
const launcher = `#!/usr/bin/env node
var parts = process.versions.node.split('.').map(Number)
if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 18)) {
  process.stderr.write('ergon needs Node.js 22.18 or later; this is Node.js ' + process.versions.node + '.\\n')
  process.exitCode = 1
} else {
  import('./ergon.mjs')
}
`

async function build(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const bundle = await rolldown({
    input: join(here, 'src/main.ts'),
    platform: 'node',
    // The portable curve: an addon belongs to the machine that installed it.
    resolve: { conditionNames: ['import', 'default'] },
    transform: { target: 'node22' },
  })
  await bundle.write({ file: join(folder, 'ergon.mjs'), format: 'esm', codeSplitting: false })
  await bundle.close()
  const { name, version, description, license } = JSON.parse(
    readFileSync(join(here, 'package.json'), 'utf8'),
  ) as Manifest // our own manifest
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    keywords: ['marketplace', 'agents', 'stablecoin', 'escrow', 'mcp'],
    engines: { node: '>=22.18' },
    bin: { ergon: 'ergon.cjs' },
    files: ['ergon.cjs', 'ergon.mjs'],
  }
  writeFileSync(join(folder, 'ergon.cjs'), launcher, { mode: 0o755 })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(root, '.cache/cli'))
  await build(folder)
  process.stdout.write(`${folder}\n`)
}
