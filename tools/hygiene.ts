/**
 * What a reader should not stumble over: paths of one machine, promises without an issue, words that are not plain,
 * files named for nothing, a lockfile that names one registry, a page that grew past its page, a promise whose test is
 * gone, a decision that does not say it was changed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type SourceFile = { readonly path: string; readonly text: string }
type Rule = { readonly says: string; readonly breaks: (file: SourceFile) => readonly number[] | boolean }

const skipped = new Set(['node_modules', '.git', '.cache', '.ergon', 'artifacts'])
const readable =
  /[.](?:[cm]?[jt]s|tsx|json|md|sql|sol|[ch]|ya?ml|css|html|sh)$|(?:^|[/])(?:run|LICENSE|[.]npmrc|[.]gitignore)$/
const onePage = { 'README.md': 90, 'ARCHITECTURE.md': 90, 'STYLE.md': 90, 'SECURITY.md': 90 } as const
const longestPage = 7_500

/** Built from pieces so that this file does not break its own rule. */
const machinePath = new RegExp(`(?<![\\w.@:/-])/(?:${['home', 'Users', 'root', 'work', 'farm'].join('|')})/[\\w.-]+/?`)
const bareTodo = new RegExp(
  `\\b(?:${['TO', 'FIX'].map((word, index) => word + (index === 0 ? 'DO' : 'ME')).join('|')})\\b(?!\\s*\\(#\\d+\\))`,
)

const clumsy = new RegExp(
  `\\b(?:${['stan_ds', 'some_body', 'sa_ys of', 'sa_id of'].join('|').replaceAll('_', '')})\\b`,
  'i',
)
/** History, pages whose source is read itself, migrations that are never edited, and the page that names the words. */
const keepsItsWords =
  /^docs[/](?:decisions|reference)[/]|[/]migrations[/]00(?:05|06|08|17|20)-[\w-]+[.]sql$|^STYLE[.]md$/

const rules: readonly Rule[] = [
  { says: 'names a path of one machine', breaks: ({ text }) => linesWith(text, machinePath) },
  {
    says: 'promises work without an issue: write it as in STYLE.md, with a number',
    breaks: ({ path, text }) => (/[.](?:[cm]?[jt]s|tsx|sql|sol)$/.test(path) ? linesWith(text, bareTodo) : false),
  },
  {
    says: 'is named for nothing: name a file for what it exports',
    breaks: ({ path }) => /(?:^|[/])(?:utils?|helpers?|common|misc)[.](?:[cm]?[jt]s|tsx)$/.test(path),
  },
  {
    says: 'is not in kebab-case',
    breaks: ({ path }) => /[.]tsx?$/.test(path) && !/(?:^|[/])[a-z0-9]+(?:[-.][a-z0-9]+)*[.]tsx?$/.test(path),
  },
  {
    says: 'pins packages to one registry',
    breaks: ({ path, text }) => path === 'package-lock.json' && linesWith(text, /"resolved": "https?:/),
  },
  { says: 'carries a merge conflict', breaks: ({ text }) => linesWith(text, /^(?:<{7}|>{7}) /) },
  {
    says: 'writes a key a second time, and whoever reads it sees the second alone',
    breaks: ({ path, text }) => path.endsWith('.json') && repeatedKeys(text),
  },
  { says: 'is longer than its one page', breaks: isTooLong },
  {
    says: 'has a word that STYLE.md refuses: say plainly who does what',
    breaks: ({ path, text }) => !keepsItsWords.test(path) && linesWith(text, clumsy),
  },
]

function isTooLong({ path, text }: SourceFile): boolean {
  const limit = Object.entries(onePage).find(([name]) => name === path)?.[1]
  return limit !== undefined && (text.split('\n').length > limit || text.length > longestPage)
}

function linesWith(text: string, pattern: RegExp): readonly number[] {
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [index + 1] : []))
}

/** The lines on which an object of a JSON text has a key that it had already. */
function repeatedKeys(text: string): readonly number[] {
  const open: Set<string>[] = []
  const lines: number[] = []
  for (const { 0: token, groups, index } of text.matchAll(/(?<key>"(?:[^"\\]|\\.)*")(?<colon>\s*:)?|[{}]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (groups?.['colon'] !== undefined) {
      const key = groups['key'] ?? ''
      if (open.at(-1)?.has(key) === true) lines.push(text.slice(0, index).split('\n').length)
      open.at(-1)?.add(key)
    }
  }
  return lines
}

/** One sentence for each thing wrong with the file. */
export function complaintsAbout(file: SourceFile): readonly string[] {
  return rules.flatMap(({ says, breaks }) => {
    const found = breaks(file)
    if (typeof found === 'boolean') return found ? [`${file.path} ${says}`] : []
    return found.map((line) => `${file.path}:${line} ${says}`)
  })
}

/** A promise names the test that holds it, by the end of its path: one that is gone holds nothing. */
export function missingTests({ path, text }: SourceFile, paths: readonly string[]): readonly string[] {
  if (!/^[A-Z]+[.]md$|^docs[/]guides[/]/.test(path)) return []
  const named = [...text.matchAll(/`([\w./-]+[.]test[.]ts)`/g)].flatMap(([, name]) => name ?? [])
  return named
    .filter((name) => !paths.some((one) => one === name || one.endsWith(`/${name}`)))
    .map((name) => `${path} names ${name}, which is not there`)
}

/** A record that another one changed says so in its status, or its reader takes old words for good. */
export function unmarkedDecisions(files: readonly SourceFile[]): readonly string[] {
  const statuses = files.flatMap(({ path, text }) => {
    const number = /^docs[/]decisions[/](\d{4})-/.exec(path)?.[1]
    const status = /^- Status: (.*)$/m.exec(text)?.[1]
    return number === undefined || status === undefined ? [] : [{ path, number, status }]
  })
  return statuses.flatMap((later) => {
    const changes = later.status.match(/\b(?:supersedes|replaces|changes|narrows|amends)\b[^;,]*/g) ?? []
    const changed = new Set(changes.flatMap((clause) => clause.match(/\b\d{4}\b/g) ?? []))
    return statuses
      .filter(({ number, status }) => changed.has(number) && !status.includes(later.number))
      .map(({ path }) => `${path} does not say in its status that ${later.number} changed it`)
  })
}

/** Whether a file is text of ours that the rules are about. */
export function isReadable(path: string): boolean {
  return readable.test(path)
}

function* walk(folder: string, prefix = ''): Generator<SourceFile> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (skipped.has(entry.name)) continue
    const path = `${prefix}${entry.name}`
    if (entry.isDirectory()) yield* walk(`${folder}${entry.name}/`, `${path}/`)
    else if (isReadable(path)) yield { path, text: readFileSync(`${folder}${entry.name}`, 'utf8') }
  }
}

if (import.meta.main) {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const files = [...walk(fileURLToPath(new URL('..', import.meta.url)))]
  const paths = files.map(({ path }) => path)
  const complaints = [
    ...files.flatMap((file) => [...complaintsAbout(file), ...missingTests(file, paths)]),
    ...unmarkedDecisions(files),
  ]
  process.stdout.write(complaints.map((complaint) => `${complaint}\n`).join(''))
  process.exitCode = complaints.length > 0 ? 1 : 0
}
