/** The same service under the name of this machine, which may hold passkeys. */
export function namedHref({ protocol, port }: Pick<Location, 'protocol' | 'port'>): string {
  return `${protocol}//localhost${port === '' ? '' : `:${port}`}/`
}
