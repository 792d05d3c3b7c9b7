import { Icon } from '../icons/icon.tsx'
import { assistantLinks } from '../model/ai-assistants.ts'
import { evaluation, consumeBudget } from '../model/context.ts'
import { textOfNodes } from '../model/plain-text.ts'
import { blocksIn, textField } from '../model/read.ts'
import { CodeText } from './code.tsx'
import type { WriteBlock } from './simple.tsx'

/** A prompt to copy, or to open in an AI assistant where the site and the block offer that. */
export const prompt: WriteBlock = (block, context) => {
  const [code] = blocksIn(block)
  const lines = code ? blocksIn(code).map(({ nodes = [] }) => textOfNodes(nodes, evaluation(context))) : []
  const source = lines.join('\n')
  if (!consumeBudget(context, source.length >> 7)) return null
  const description = textField(block, 'description')
  const expanded = textField(block, 'defaultExpanded')
  const isOffered = context.input.externalAI && block.data?.['openInAIProviders'] !== false
  const links = isOffered ? assistantLinks(source) : []
  return (
    <figure class="prompt" data-partial={expanded === 'partial' || undefined}>
      <figcaption>
        <span class="prompt-title" dir="auto">
          <Icon name={textField(block, 'icon') ?? 'terminal'} />
          {description}
        </span>{' '}
        <span class="prompt-actions">
          {links.map(({ name, href }) => (
            <a href={href} target="_blank" rel="noopener noreferrer">
              {context.t('openIn', { name })}
            </a>
          ))}
          <button type="button" class="copy" hidden data-copy data-copied={context.t('blocks.copied')}>
            {context.t('blocks.copy')}
          </button>
        </span>
      </figcaption>
      <details open={expanded === 'partial' || expanded === 'full'}>
        <summary>{(code && textField(code, 'title')) ?? context.t('blocks.prompt')}</summary>
        <div class="code" data-wrap>
          <CodeText
            source={source}
            look={{ language: code && textField(code, 'syntax') }}
            label={context.t('blocks.prompt')}
            context={context}
          />
        </div>
      </details>
    </figure>
  )
}
