/** Everything the checkout shows, in one block: no second request stands between a buyer and the amount. */
export const STYLE = `
*{box-sizing:border-box}
[hidden]{display:none!important}
[data-copy][hidden],[data-print][hidden]{display:flex!important;visibility:hidden}
[data-slider][hidden],#timer[hidden],#slow[hidden],[data-captcha][hidden],[data-summary][hidden],.swap>[hidden]{display:block!important;visibility:hidden;min-height:1.5em}
#slow[hidden]{animation:slow 0s 10s forwards}@keyframes slow{to{visibility:visible}}
[data-busy] [data-captcha]{color:inherit;font-weight:600}
@media(scripting:none){[data-copy][hidden],[data-print][hidden],[data-slider][hidden],#timer[hidden],#slow[hidden],[data-captcha][hidden],[data-summary][hidden],.swap>[hidden],.js{display:none!important}}
html{overflow-anchor:none;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;overflow-wrap:break-word;background:var(--brand-background);color:var(--brand-text);font:400 1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums;-webkit-font-smoothing:antialiased}
h1,h2,p,dl,dd,ol,ul,fieldset{margin:0;padding:0}
fieldset{border:0;min-width:0}
legend{padding:0}
a{color:var(--brand-link);text-underline-offset:.2em}
svg{display:block}
button,input,select,textarea{font:inherit;color:inherit}
:focus-visible{outline:2px solid var(--brand-focus-inner);outline-offset:2px;box-shadow:0 0 0 6px var(--brand-focus-outer);border-radius:.5rem}
h1:focus,h2:focus,[role=alert]:focus{outline:0;box-shadow:none}
.vh{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:1rem;top:0;transform:translateY(-110%);z-index:9;padding:.75rem 1rem;background:var(--brand-background);border-radius:.5rem}
.skip:focus{top:1rem;transform:none}
.test{padding:.5rem 1.25rem;text-align:center;font-size:.8125rem;font-weight:500;color:var(--brand-text);background:var(--brand-attention-surface);border-bottom:1px solid color-mix(in srgb,var(--brand-attention) 30%,transparent)}
.page{max-width:34rem;margin:0 auto;padding:1.25rem min(1.25rem,6.25vw) 2rem}
.shop{display:flex;align-items:center;gap:.75rem;min-height:2.75rem;font-weight:600}
.shop img{display:block;max-width:9rem;height:auto;max-height:2.75rem;object-fit:contain;border-radius:.375rem}
.shop .mono{display:grid;place-items:center;flex:none;width:2.5rem;height:2.5rem;border-radius:.75rem;background:var(--brand-primary);color:var(--brand-on-primary);font-weight:700}
.due{margin-top:.25rem;color:var(--brand-muted);font-size:.9375rem}
.sum{padding:1.25rem 0 1.5rem}
.sum h1{font-size:min(clamp(2.25rem,9vw,2.875rem),11.25vw);line-height:1.05;letter-spacing:-.03em;font-weight:700;overflow-wrap:anywhere;text-wrap:balance}
.sum h1 small{display:block;margin-bottom:.375rem;font-size:1rem;line-height:1.5;letter-spacing:0;font-weight:500;color:var(--brand-muted)}
.sum .long{font-size:min(clamp(1.5rem,8vw,2.375rem),9.5vw)}
.items{margin-top:1rem;list-style:none}
.items li,.row{display:flex;justify-content:space-between;gap:1rem;padding:.625rem 0}
.items li+li,.row+.row{border-top:1px solid color-mix(in srgb,var(--brand-text) 11%,transparent)}
.items span,.row dd{overflow-wrap:anywhere;min-width:0}.items li{flex-wrap:wrap}.items span{flex:1 1 7rem;min-width:min-content}.items .each{overflow-wrap:normal}
.items .about{display:block}.items small,.muted{color:var(--brand-muted);font-size:.875rem}
.items b,.row dd{font-weight:600;text-align:right}
.row .id{word-break:break-all}.row .whole{flex:none;max-width:70%}.row .sums{overflow-wrap:normal;min-width:min-content}
.row dt{color:var(--brand-muted)}
.items b{white-space:nowrap;margin-left:auto}
details.more>summary{display:inline-flex;align-items:center;gap:.375rem;min-height:2.75rem;margin-top:.25rem;cursor:pointer;font-weight:500;color:var(--brand-link);list-style:none}
details.more>summary::-webkit-details-marker,.method>summary::-webkit-details-marker{display:none}
.exact ul{margin:0 0 .25rem;padding-left:1.125rem;color:var(--brand-muted);font-size:.875rem}
.chev{flex:none;transition:transform .15s}
[open]>summary .chev{transform:rotate(180deg)}
h2{font-size:1.0625rem;line-height:1.4;letter-spacing:-.01em}
.methods,.stack,.pix,.split,.choices,.slots{grid-template-columns:minmax(0,1fr)}.methods{display:grid;gap:.75rem;margin-top:.875rem}h2+.method{margin-top:.875rem}
.method{border:1px solid color-mix(in srgb,var(--brand-text) 16%,transparent);border-radius:1rem;background:var(--brand-background);transition:border-color .15s,box-shadow .15s}
.method[open],.method.only{border-color:var(--brand-primary);box-shadow:0 0 0 1px var(--brand-primary),0 12px 32px -18px color-mix(in srgb,var(--brand-text) 40%,transparent)}
.method>summary{display:flex;align-items:center;gap:min(.875rem,4.5vw);min-height:4.25rem;padding:.75rem min(1rem,5vw);cursor:pointer;list-style:none;border-radius:1rem}
.method>summary:hover{background:var(--brand-surface)}
.method>summary .ic{display:grid;place-items:center;flex:none;align-self:flex-start;margin-top:.125rem;width:min(2.5rem,12.5vw);height:min(2.5rem,12.5vw);border-radius:.75rem;background:var(--brand-surface);color:var(--brand-link)}
.method>summary>span{min-width:0}.method>summary b{display:block;font-weight:600}
.method>summary small{display:block;color:var(--brand-muted);font-size:.8125rem;line-height:1.35}
.method>summary i{margin-left:auto;flex:none;width:min(1.25rem,6.25vw);height:min(1.25rem,6.25vw);border:2px solid var(--brand-border);border-radius:50%}
.method[open]>summary i{border:min(.4rem,2vw) solid var(--brand-primary)}
.body{padding:.25rem min(1rem,5vw) 1.125rem}
.only .body{padding-top:1.125rem}
.grid{display:grid;grid-template-columns:repeat(6,minmax(0,1fr));gap:.875rem .75rem}
.f{grid-column:1/-1;min-width:0}
.f.s2{grid-column:span 2}.f.s3{grid-column:span 3}.f.s4{grid-column:span 4}
.f label,.f legend,.lab{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:.5rem;margin-bottom:.3125rem;font-size:.875rem;font-weight:500}
.f label em,.lab em{font-style:normal;font-weight:400;color:var(--brand-muted)}
.in{position:relative}
input:not([type=radio],[type=range],[type=checkbox],[type=hidden]),select,textarea{display:block;width:100%;min-height:3rem;padding:.6875rem .875rem;background:var(--brand-background);border:1px solid var(--brand-border);border-radius:.75rem;font-size:1rem;line-height:1.5;transition:box-shadow .15s}
select{appearance:none;padding-right:2rem;text-overflow:ellipsis}
.sel::after{content:"";position:absolute;right:.9375rem;top:50%;width:.5rem;height:.5rem;margin-top:-.375rem;border:solid currentColor;border-width:0 2px 2px 0;transform:rotate(45deg);pointer-events:none}
#main{display:flow-root}
.swap{display:grid}.swap>*{grid-area:1/1}
[data-summary]{display:block}
.f:has(.err:not([hidden])) .hint,.f:has([data-meant]:not([hidden])) .hint:not([data-meant]){display:none}
[data-meant] button{margin:-.8rem 0;padding:.8rem 0;border:0;background:none;color:var(--brand-link);text-align:left;text-decoration:underline;text-underline-offset:.2em;cursor:pointer}
input,select{scroll-margin:1.5rem}
::placeholder{color:var(--brand-muted);opacity:1}
input:hover,select:hover{border-color:var(--brand-text)}
input:focus-visible,select:focus-visible,textarea:focus-visible{outline-offset:0;border-radius:.75rem;box-shadow:0 0 0 4px var(--brand-focus-outer)}
[aria-invalid=true]{border-color:var(--brand-error)!important;box-shadow:0 0 0 1px var(--brand-error)}
.hint{margin-top:.25rem;color:var(--brand-muted);font-size:.8125rem}
.err{display:flex;gap:.375rem;margin-top:.3125rem;color:var(--brand-error);font-size:.875rem;font-weight:500}
.err::before{content:"!";display:grid;place-items:center;flex:none;width:1.125rem;height:1.125rem;margin-top:.125rem;border-radius:50%;background:var(--brand-error);color:var(--brand-background);font-size:.75rem;font-weight:700}
.brand{position:absolute;right:.75rem;top:50%;height:1.5rem;margin-top:-.75rem}
.brand svg{height:1.5rem;width:auto}
.btn>span{min-width:0}.btn{position:relative;overflow-wrap:anywhere;display:flex;align-items:center;justify-content:center;gap:.5rem;width:100%;min-height:3.25rem;padding:.75rem 1rem;border:1px solid transparent;border-radius:.875rem;background:var(--brand-primary);color:var(--brand-on-primary);font-size:1.0625rem;font-weight:600;line-height:1.3;text-align:center;text-decoration:none;cursor:pointer;transition:transform .05s}
.btn:hover{box-shadow:0 0 0 2px var(--brand-background),0 0 0 4px var(--brand-primary)}
.btn:active{transform:translateY(1px)}
.btn.two{background:transparent;color:var(--brand-link);border-color:var(--brand-border)}
.btn.plain{min-height:2.75rem;background:none;color:var(--brand-link);font-size:.9375rem}
.btn[aria-disabled=true]{background:var(--brand-surface);color:var(--brand-muted);border:1px dashed var(--brand-border);box-shadow:none;transform:none;cursor:not-allowed}
[data-busy] .btn[aria-disabled=true]{background:var(--brand-primary);color:var(--brand-on-primary);border:1px solid transparent;cursor:progress}
.btn .spin{display:none}
[data-busy] .btn[aria-disabled=true] .spin{display:block}[data-busy] .btn[aria-disabled=true] .spin+svg{display:none}
.spin{flex:none;width:1.125rem;height:1.125rem;border:2px solid currentColor;border-right-color:transparent;border-radius:50%;animation:spin .8s linear infinite}
@keyframes spin{to{transform:rotate(1turn)}}
iframe{display:block;width:100%;margin-top:1rem;border:0}
.go{margin-top:1.125rem}
.stack{display:grid;gap:.75rem;margin-top:1.125rem}
.inline{display:flex;flex-wrap:wrap;gap:.75rem}
.inline .btn{width:auto;flex:1 1 11rem}
.note{margin-top:.75rem;color:var(--brand-muted);font-size:.875rem}
.soon{margin:.125rem 0 -.875rem;color:var(--brand-muted);font-size:.875rem}
.box{padding:1rem;border-radius:1rem;border:1px solid color-mix(in srgb,var(--tone,var(--brand-text)) 32%,transparent);background:var(--tint,var(--brand-surface))}
.box+.methods,.box+form{margin-top:1rem}.box+.more{margin-top:.5rem}
*+#alert:not(:empty){padding-top:.75rem}
.bad{--tone:var(--brand-error);--tint:var(--brand-error-surface)}.warn{--tone:var(--brand-attention);--tint:var(--brand-attention-surface)}.good{--tone:var(--brand-success);--tint:var(--brand-success-surface)}
.box h2{color:var(--tone)}
.box p+p{margin-top:.25rem}
.box ul{margin:.375rem 0 0;padding-left:1.125rem}
.box .stack{margin-top:.875rem}
.box .slots{padding:0;margin-top:.75rem}.slots+p{margin-top:.75rem}
.foot{margin-top:2rem;padding-top:1.125rem;border-top:1px solid color-mix(in srgb,var(--brand-text) 11%,transparent);color:var(--brand-muted);font-size:.8125rem}
.foot p{display:flex;align-items:center;gap:.375rem}
.foot p+p{margin-top:.25rem}
.foot nav{display:flex;flex-wrap:wrap;gap:0 1.25rem;margin-top:.25rem}
.foot nav>*{display:inline-flex;align-items:center;min-height:2.75rem}
.foot button{padding:0;border:0;background:none;color:var(--brand-link);text-decoration:underline;text-underline-offset:.2em;cursor:pointer}
.foot nav b{font-weight:600;color:var(--brand-text)}
.state{padding-top:2.25rem;text-align:center}
.state h1{font-size:1.625rem;line-height:1.25;letter-spacing:-.02em;text-wrap:balance}
#heading{scroll-margin-top:100vh}#left{scroll-margin-top:1.25rem}
.state>p,.state>[role=alert]>p{margin:.625rem auto 0;max-width:28rem;color:var(--brand-muted);text-wrap:pretty}
.what{max-width:28rem;margin:.5rem auto 0}.what .items{margin-top:.25rem;text-align:left}
.mark{display:grid;place-items:center;width:4.5rem;height:4.5rem;margin:0 auto 1.25rem;border-radius:50%;color:var(--tone,var(--brand-muted));background:var(--tint,var(--brand-surface))}
.mark svg{width:2.125rem;height:2.125rem}
.mark.wait{border:3px solid color-mix(in srgb,var(--brand-primary) 22%,transparent);border-top-color:var(--brand-primary);background:none;animation:spin 1s linear infinite}
.left{text-align:left}
.card{margin-top:1.5rem;padding:1.25rem;border:1px solid color-mix(in srgb,var(--brand-text) 13%,transparent);border-radius:1.25rem;background:var(--brand-background);text-align:left}
.amount{font-size:2.25rem;line-height:1.15;font-weight:700;letter-spacing:-.03em}
.qr{width:min(100%,15.5rem);margin:0 auto;padding:.75rem;background:#fff;border-radius:1rem;border:1px solid #d5d5d5}
.qr svg{width:100%;height:auto}
.two-up{display:grid;gap:1.5rem}
.pix{display:grid;gap:1.25rem}
.pix ol{padding-left:1.25rem;color:var(--brand-muted);font-size:.9375rem}
.pix ol li+li{margin-top:.375rem}
.code{field-sizing:content;max-height:12rem;font:500 .8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace!important;resize:none;overflow-wrap:anywhere;scrollbar-color:var(--brand-muted) var(--brand-surface);background:var(--brand-surface)!important}
.line{font:600 1rem/1.7 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.bars{padding:.875rem;background:#fff;border-radius:.75rem;border:1px solid #d5d5d5}
.bars svg{width:100%;height:4rem}
.live{display:flex;align-items:center;gap:.625rem;min-height:1.5rem;font-size:.9375rem;font-weight:500}
.dot{position:relative;flex:none;width:.625rem;height:.625rem;border-radius:50%;background:var(--brand-success)}
.dot::after{content:"";position:absolute;inset:-.25rem;border-radius:50%;border:2px solid var(--brand-success);animation:pulse 1.8s ease-out infinite}
@keyframes pulse{from{transform:scale(.6);opacity:.9}to{transform:scale(1.4);opacity:0}}
.slots{display:grid;gap:.625rem;margin-top:1.5rem;list-style:none;text-align:left}
.slots li{display:flex;align-items:center;gap:.75rem;min-height:4.5rem;padding:.875rem 1rem;border:1px solid color-mix(in srgb,var(--brand-text) 13%,transparent);border-radius:1rem}
.slots li>svg{flex:none;width:2.375rem;height:1.5rem}
.slots small{display:block;color:var(--brand-muted)}
.slots output{margin-left:auto;flex:none;min-width:6.5rem;text-align:center;padding:.125rem .625rem;border-radius:1rem;font-size:.8125rem;font-weight:600;color:var(--tone,var(--brand-muted));border:1px solid currentColor}
.sim{margin-top:1.25rem;padding:1rem;border:1px dashed var(--brand-attention);border-radius:1rem;text-align:center}
.sim .btn{color:var(--brand-attention);border-color:var(--brand-attention)}
.sim p{font-size:.8125rem;color:var(--brand-muted);margin-top:.5rem}
.split{display:grid;gap:1.25rem}
.split>fieldset{padding-top:1.125rem;border-top:1px solid color-mix(in srgb,var(--brand-text) 13%,transparent)}
.split>fieldset>legend{float:left;width:100%;margin-bottom:.75rem;font-weight:600}
.split>fieldset>legend+*{clear:both}
input[type=range]{display:block;width:100%;height:2.75rem;margin:0;accent-color:var(--brand-primary);cursor:pointer}
.pick{display:flex;flex-wrap:wrap;gap:.5rem}
.pick a{display:grid;place-items:center;min-height:2.75rem;flex:1 1 6.5rem;padding:.375rem .5rem;text-align:center;line-height:1.3;border:1px solid var(--brand-border);border-radius:.75rem;text-decoration:none;font-weight:600;font-size:.9375rem}
.pick a[aria-current]{border-color:var(--brand-primary);box-shadow:inset 0 0 0 1px var(--brand-primary)}
.hp{display:flex;gap:.375rem;flex-wrap:wrap;margin-bottom:.875rem}
.grid+.hp{margin-top:1rem}
.btn svg{flex:none}
.hp svg{height:1.375rem;width:auto}
.keep{display:flex;gap:.75rem;align-items:flex-start;margin-top:1rem;min-height:2.75rem;padding:.375rem 0;font-size:.9375rem;cursor:pointer}
.keep input{flex:none;width:1.25rem;height:1.25rem;margin:.125rem 0 0;accent-color:var(--brand-primary)}
.keep input:not(:checked){appearance:none;background:var(--brand-background);border:2px solid var(--brand-border);border-radius:.25rem;cursor:pointer}
.keep small{display:block;color:var(--brand-muted);font-size:.8125rem}
.known{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:0 1rem;padding:.5rem 1rem;border-radius:.75rem;background:var(--brand-surface);font-size:.9375rem}
.known .btn{width:auto;padding:.5rem 0}
.more>form{margin:.5rem 0 1rem}
.fresh,.all{display:contents}
form:has([name=savedCard]:checked:not([value=""])) .fresh,[data-card]:has([name^=savedCard]:checked:not([value=""])) .fresh{display:none}
.grid>.choices{grid-column:1/-1;margin:0}.choices{display:grid;gap:.5rem;margin-bottom:1rem}
.choice{display:flex;gap:.75rem;align-items:center;min-height:3.25rem;padding:.5rem .875rem;border:1px solid var(--brand-border);border-radius:.75rem;cursor:pointer}
.choice:has(:checked){border-color:var(--brand-primary);box-shadow:inset 0 0 0 1px var(--brand-primary)}
.choice svg{margin-left:auto;flex:none;height:1.375rem;width:auto}
.choice input{flex:none;width:1.25rem;height:1.25rem;margin:0;accent-color:var(--brand-primary)}
@media(max-width:22.5rem){.f.s2,.f.s4{grid-column:1/-1}}
@media(max-width:26rem){.body .btn{padding-inline:.75rem;font-size:1rem}[data-form=cards] .btn.go{padding-inline:.5rem;font-size:.9375rem}[data-form=cards] .btn.go>svg{display:none}}
@media(min-width:40rem){.two-up{grid-template-columns:15.5rem 1fr;align-items:start;gap:2rem}.two-up .qr{order:-1}.wide{max-width:44rem}}
@media(min-width:60rem){
.cols{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);max-width:none;min-height:100vh;padding:0}
.cols>.side{padding:3rem max(2rem,calc(50vw - 31rem)) 3rem;padding-right:3.5rem;background:var(--brand-surface)}
.cols>.side>div{position:sticky;top:3rem}
.cols>main{padding:3rem max(2rem,calc(50vw - 31rem)) 2rem;padding-left:3.5rem}
.sum{padding:2rem 0}
.sum h1{font-size:3.25rem}
.with-test .cols{min-height:calc(100vh - 2.3rem)}
.state{padding-top:4rem}
}
@media(prefers-reduced-motion:reduce){*,::before,::after{animation-duration:2s!important;transition:none!important}.dot::after{animation:none}.mark.wait,.spin{animation-timing-function:steps(8)!important}}
@media(forced-colors:active){.method[open],.pick a[aria-current]{border:3px solid Highlight}.choice:has(:checked){border:3px solid Highlight}.btn{border-color:ButtonText}.qr,.bars{forced-color-adjust:none}.method[open]>summary i{border-color:Highlight}}
@media print{body{background:#fff;color:#000}.foot nav,.noprint,.skip{display:none!important}.test{padding:0 0 1rem;color:#000;background:none}.page{max-width:none;padding:0}.card{border:0;padding:0}.state{padding:1rem 0 0;text-align:left}.mark{display:none}.row dt,.muted,.state>p,.state>[role=alert]>p{color:#333}.state>p,.state>[role=alert]>p{margin-left:0}}
`
  .replace(/\n/g, "")
  .trim();
