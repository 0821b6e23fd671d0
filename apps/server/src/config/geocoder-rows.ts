/** Settings of the geocoder, rows of the settings page. */
export const geocoderRows = [
  {
    name: 'SVC_GEOCODER_URL',
    default: 'none: only towns are found',
    says: 'A geocoder that finds addresses, asked by the service: https on port 443 or 8443, or http on this machine or in a private network. Below it is /api of Photon or /search of Nominatim.',
  },
  {
    name: 'SVC_GEOCODER_KIND',
    default: 'photon',
    says: 'How it is asked: photon or nominatim.',
  },
  {
    name: 'SVC_GEOCODER_PRIVATE',
    default: 'false',
    says: 'true where the geocoder is in a private network of yours: http and any port are taken, and addresses of RFC 1918 and RFC 4193.',
  },
  {
    name: 'SVC_GEOCODER_HEADER',
    default: 'none',
    says: 'A header that it asks for, such as X-Api-Key: abc.',
    secret: true,
  },
  { name: 'SVC_GEOCODER_HEADER_FILE', default: 'none', says: 'A file with it, instead of SVC_GEOCODER_HEADER.' },
  {
    name: 'SVC_GEOCODER_PER_MINUTE',
    default: '60',
    says: 'How often one process asks it in a minute, for all callers together; what was found is kept for a day.',
  },
  {
    name: 'SVC_GEOCODER_TIMEOUT_MS',
    default: '3000',
    says: 'How long its answer may take; at most 10000.',
  },
  {
    name: 'SVC_GEOCODER_ATTRIBUTION',
    default: '© OpenStreetMap contributors',
    says: 'Whose data it is, named beside what is found.',
  },
] as const
