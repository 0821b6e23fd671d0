/** Why a listener did not open, for whoever started the service; `setting` where it is not the one of the service. */
export function cannotListen(
  { host, port }: { readonly host: string; readonly port: number },
  cause: unknown,
  setting?: string,
): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'it failed'
  return `cannot listen on ${host} port ${String(port)}${setting === undefined ? '' : ` (${setting})`}: ${code}`
}
