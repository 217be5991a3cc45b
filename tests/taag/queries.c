void queries(void);
void tree_queries(void);
void ring_queries(void);
void misuse(void);
void queries(void)
{
}
void tree_queries(void)
{
}
void ring_queries(void)
{
}
void misuse(void)
{
}
