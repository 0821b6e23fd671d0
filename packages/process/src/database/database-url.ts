/** What is wrong with the URL of a database, as a sentence; undefined: nothing. */
export function databaseUrlFault(text: string): string | undefined {
  // An empty host, as before the folder of a socket (`postgres://ergon@/ergon?host=/run/postgresql`), is one to pg.
  const filled = text.replace('@/', '@localhost/')
  // A port of its own for each of several hosts is no URL.
  const [, authority = ''] = /^postgres(?:ql)?:\/\/([^/?#]*)/.exec(filled) ?? []
  if (authority.split('@').at(-1)?.includes(',') === true) return severalHosts
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(filled)) return 'DATABASE_URL must be a postgres:// URL'
  return new URL(filled).searchParams.get('host')?.includes(',') === true ? severalHosts : undefined
}

const severalHosts = 'DATABASE_URL names several hosts: name one that always leads to the primary'
