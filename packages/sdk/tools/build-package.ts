/**
 * `npm run build -w packages/sdk [-- <folder>]`: the package as it is published, in one folder.
 *
 * The compiler writes one module for one source file, of the client and of the packages it depends on, so that a
 * bundler takes only what is used; the names of those packages become paths (decision 0074).
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Manifest = {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly type: string
  readonly imports?: Readonly<Record<string, { readonly node: string; readonly default: string }>>
  readonly exports: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
}

const here = fileURLToPath(new URL('..', import.meta.url))
const root = join(here, '../..')
const packagesInside = ['channels', 'contract', 'protocols'] as const

/** A door of a package that is inside, from the file that names it; a further one is a folder of the sources. */
function pathTo(name: string, from: string, folder: string): string {
  const [inside = '', ...below] = name.split('/')
  const path = relative(dirname(from), join(folder, inside, 'src', ...below, 'index.js')).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}

/** Names of our packages become paths, and declarations name what is there once it is compiled. */
function withPaths(text: string, from: string, folder: string): string {
  return text
    .replaceAll(
      /(?<=\bfrom\s|\bimport\(|\bimport\s)(['"])@ergon\/((?:channels|contract|protocols)(?:\/[\w-]+)?)\1/g,
      (_, quote: string, name: string) => `${quote}${pathTo(name, from, folder)}${quote}`,
    )
    .replaceAll(/(?<=\bfrom\s|\bimport\(|\bimport\s)(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, '$1$2.js$1')
}

export function manifestOf(name: string): Manifest {
  // Our own manifests are of this shape.
  return JSON.parse(readFileSync(join(here, '..', name, 'package.json'), 'utf8')) as Manifest
}

/** `private` is the mark of the sources; `imports` keeps to what every machine has, which the native curve is not. */
function publishedManifest(): object {
  const { name, version, description, license, type } = manifestOf('sdk')
  const inside = packagesInside.map((one) => [one, manifestOf(one)] as const)
  const compiled = (one: string, path: string): string => `./${one}/${path.replace('./', '').replace(/\.ts$/, '.js')}`
  const imports = inside.flatMap(([one, manifest]) =>
    Object.entries(manifest.imports ?? {}).map(
      ([key, { node, default: portable }]) =>
        [
          key,
          { ...(key === '#secp256k1' ? {} : { node: compiled(one, node) }), default: compiled(one, portable) },
        ] as const,
    ),
  )
  return {
    name,
    version,
    description,
    license,
    type,
    keywords: ['marketplace', 'agents', 'stablecoin', 'escrow', 'x402'],
    engines: { node: '>=22.18' },
    sideEffects: false,
    exports: {
      '.': { types: './sdk/src/index.d.ts', default: './sdk/src/index.js' },
      './package.json': './package.json',
    },
    imports: Object.fromEntries(imports),
    files: [...packagesInside, 'sdk'],
    dependencies: Object.fromEntries(
      inside
        .flatMap(([, { dependencies }]) => Object.entries(dependencies))
        .filter(([dependency]) => !dependency.startsWith('@ergon/'))
        .sort(([left], [right]) => left.localeCompare(right)),
    ),
  }
}

/** The client and the packages inside, each in a folder of its name. */
export function compileInto(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  execFileSync(
    process.execPath,
    [
      join(root, 'node_modules/typescript/bin/tsc'),
      '--project',
      join(here, 'tsconfig.package.json'),
      '--outDir',
      folder,
    ],
    { stdio: 'inherit' },
  )
  for (const file of globSync('**/*.{js,d.ts}', { cwd: folder }).map((path) => join(folder, path)))
    writeFileSync(file, withPaths(readFileSync(file, 'utf8'), file, folder))
  // Compiled because a condition names it; without the addon it would never be chosen.
  for (const file of globSync('protocols/src/curve/native.*', { cwd: folder })) rmSync(join(folder, file))
}

function buildPackage(folder: string): void {
  compileInto(folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`)
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  copyFileSync(join(here, 'README.md'), join(folder, 'README.md'))
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(root, '.cache/sdk'))
  buildPackage(folder)
  process.stdout.write(`${folder}\n`)
}
