/** Whether nothing new begins there: a server of a version before leaves it out, and unknown is not closed. */
export function isClosedNetwork({ takes_new_jobs }: { readonly takes_new_jobs?: boolean }): boolean {
  return takes_new_jobs === false
}

/** Networks where nothing new begins; none where the server's version knows no closed ones. */
export function closedNetworksOf({
  closed_networks = [],
}: {
  readonly closed_networks?: readonly string[]
}): readonly string[] {
  return closed_networks
}
