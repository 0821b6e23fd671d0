/** Settings that name networks as a list, rows of the settings page. */
export const networkListRows = [
  {
    name: 'SVC_CLOSED_NETWORKS',
    default: 'none',
    says: 'Served networks that take no new jobs and no new locks, with commas between; * is every one. What is open there goes on and ends. The admin key closes others beside them as `networks.closed`, and opens none of these.',
  },
  {
    name: 'SVC_LEFT_NETWORKS',
    default: 'none',
    says: 'Networks whose open money these settings cannot bring to its end, and are started with all the same: its payers take it back on chain. Without it such a start is refused.',
  },
] as const
