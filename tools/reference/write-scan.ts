/** What the code itself says it writes and calls: the tables of each process, the ports of the core, the lines out. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string): string => readFileSync(root + file, 'utf8')

const aside = /\.test\.ts$|\/testing\/|\/migrations|solana-ledger\/src\/(?:embedded|front)|\/page-script\.ts$/

/** Sources that run in production: no tests, doubles or migrations, and no ledger that plays a cluster. */
function sources(...folders: readonly string[]): readonly string[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
    .filter((file) => !aside.test(file))
    .sort()
}

/** Each table that a process inserts into, updates or deletes from, by the text of its statements. */
export function writtenTables(process: 'server' | 'facilitator' | 'gateway'): readonly string[] {
  const text = sources(`apps/${process}/src`).map(read).join('\n')
  const inserts = text.matchAll(/\b(?:insert into|delete from) ([a-z0-9_]+)/g)
  const updates = text.matchAll(/(?<!for |do |no key )\bupdate ([a-z0-9_]+)(?: [a-z]+)?\s+set\b/g)
  const names = [...inserts, ...updates].map(([, name = '']) => name)
  return [...new Set(names)].filter((name) => name.length > 3 && name !== 'into').sort()
}

/** Each call of the core that leaves it and is no table: `Interface.method` of every port whose answer is awaited. */
export function awaitedPorts(): readonly string[] {
  return sources('packages/core/src/ports')
    .filter((file) => !/\/store[^/]*\.ts$/.test(file))
    .flatMap((file) => ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true).statements.flatMap(callsOf))
    .sort()
}

function callsOf(statement: ts.Statement): readonly string[] {
  if (!ts.isInterfaceDeclaration(statement)) return []
  return statement.members.flatMap((member) =>
    ts.isMethodSignature(member) && member.type?.getText().startsWith('Promise<') === true
      ? [`${statement.name.text}.${member.name.getText()}`]
      : [],
  )
}

const leaves = [
  /(?:await|return|=>) fetch\(/,
  /\bimport \{[^}]*(?<!type )\b(?:request|Client)\b[^}]*\} from '(?:node:https?|undici)'/,
  /method: 'eth_sendRawTransaction'|nodes\.offer\('sendTransaction'/,
  /from 'nodemailer'/,
  /pg_notify/,
  /await (?:rename|writeFile|link)\(/,
]

/** Each file from which something leaves the process: a request, a transaction, a file, a notification. */
export function linesOut(): readonly string[] {
  return sources(
    'apps/{server,facilitator,gateway}/src',
    'packages/{chain-rpc,oauth,channels,protocols}/src',
    'packages/solana-ledger/src',
  ).filter((file) => leaves.some((sign) => sign.test(read(file))))
}
