import { defineMessages } from '../../lib/messages.ts'

export const listMessages = defineMessages({
  en: {
    filters: 'Filters',
    status: 'Status',
    anyStatus: 'Any status',
    search: 'Search',
    show: 'Show',
    clear: 'Clear the filters',
    noneHelp: 'Search for less, or for any status.',
  },
  es: {
    filters: 'Filtros',
    status: 'Estado',
    anyStatus: 'Cualquier estado',
    search: 'Buscar',
    show: 'Mostrar',
    clear: 'Quitar los filtros',
    noneHelp: 'Busca menos, o en cualquier estado.',
  },
})
