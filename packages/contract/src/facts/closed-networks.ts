/** Every network, in a list of closed ones. */
export const everyNetwork = '*'

/** The networks of the setting `networks.closed`, which has commas between. */
export const closedNames = (list: string): readonly string[] => (list === '' ? [] : list.split(','))

/** Whether the operator lets nothing new begin on a network. */
export const isClosedNetwork = (closed: readonly string[], name: string): boolean =>
  closed.includes(name) || closed.includes(everyNetwork)
