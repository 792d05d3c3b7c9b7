import type { Strings } from './en.ts'
import { ptBr } from './pt-br.ts'

/** The strings of the interface in Portuguese: as in Brazil, but for what is said otherwise in Portugal. */
export const pt: Strings<'one' | 'many' | 'other'> = {
  ...ptBr,
  pagesBelow: 'Páginas abaixo de «{{title}}»',
  sections: 'Secções',
  breadcrumbs: 'Percurso de navegação',
  searchNothing: 'Nenhum resultado para «{{query}}»',
  searchFailed: 'A pesquisa não está disponível de momento',
  next: 'Seguinte',
  pagination: 'Página anterior e seguinte',
  previewOfChangeRequest: 'Este é um pedido de alteração que não foi publicado',
  previewOfSite: 'Esta é uma pré-visualização do sítio',
  otherVariant: 'Está a ler {{title}}.',
  goToVariant: 'Ir para {{title}}',
  notFoundText: 'Não existe nenhuma página neste endereço. Pode ter sido movida ou removida.',
  searchForIt: 'Pesquisá-la',
  failed: 'Ocorreu um erro',
  links: 'Ligações',
  'blocks.file': 'Ficheiro',
  'blocks.anchor': 'Ligação para esta secção',
  'blocks.tabs': 'Separadores {{number}}',
  'blocks.tab': 'Separador {{number}}',
  'blocks.filterUpdates': 'Filtrar por etiqueta',
  'blocks.tooLong': 'O resto desta página é demasiado longo para ser apresentado.',
  'openapi.body': 'Corpo do pedido',
  'openapi.requestExamples': 'Exemplos de pedido',
  'openapi.readOnly': 'só de leitura',
  'openapi.writeOnly': 'só de escrita',
  'openapi.default': 'Valor predefinido',
  'openapi.pattern': 'Padrão',
}
