import ts from 'typescript'
import { code, page, table } from './table.ts'

export type ConfigFile = { readonly path: string; readonly text: string }
type Setting = { readonly name: string; readonly meaning: string }

const settingName = /^(?:SVC|FACILITATOR|ERGON|DATABASE)_[A-Z0-9_]+$/

/**
 * Every environment variable that the configuration of an app reads, with what the TSDoc says of the member it is
 * read into. A name that ends with an underscore is a prefix.
 */
export function settingsPage(apps: Readonly<Record<string, readonly ConfigFile[]>>): string {
  const parts = Object.entries(apps).flatMap(([app, files]) => {
    const rows = settingsOf(files).map(({ name, meaning }) => [code(name.endsWith('_') ? `${name}<NAME>` : name), meaning])
    return rows.length === 0 ? [] : [`## ${app}`, table(['Setting', 'Meaning'], rows)]
  })
  return page('Settings', 'apps/*/src/config', ...parts)
}

/** The settings named in the files, sorted, each once. */
export function settingsOf(files: readonly ConfigFile[]): readonly Setting[] {
  const sources = files.map(({ path, text }) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  const members = new Map(sources.flatMap((source) => [...documentedMembers(source)]))
  const found = new Map<string, string>()
  for (const source of sources) {
    visit(source, (node) => {
      if (!ts.isStringLiteral(node) || !settingName.test(node.text)) return
      const meaning = members.get(memberReadInto(node) ?? '') ?? ''
      if (meaning !== '' || !found.has(node.text)) found.set(node.text, meaning)
    })
  }
  return [...found].map(([name, meaning]) => ({ name, meaning })).sort((a, b) => (a.name < b.name ? -1 : 1))
}

function* documentedMembers(source: ts.SourceFile): Generator<readonly [string, string]> {
  const nodes: ts.PropertySignature[] = []
  visit(source, (node) => {
    if (ts.isPropertySignature(node)) nodes.push(node)
  })
  for (const node of nodes) {
    const text = ts.getJSDocCommentsAndTags(node).map((doc) => ts.getTextOfJSDocComment(doc.comment) ?? '').join(' ').trim()
    if (text !== '' && ts.isIdentifier(node.name)) yield [node.name.text, text.replaceAll(/\s+/g, ' ')]
  }
}

/** The property or variable on whose right-hand side the literal stands. */
function memberReadInto(node: ts.Node): string | undefined {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) {
    if ((ts.isPropertyAssignment(at) || ts.isVariableDeclaration(at)) && ts.isIdentifier(at.name)) return at.name.text
    if (ts.isStatement(at) && !ts.isVariableStatement(at)) return undefined
  }
  return undefined
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  ts.forEachChild(node, (child) => {
    visit(child, see)
  })
}
