#include <unistd.h>
#include <spawn.h>
#include <sys/wait.h>
#include <stdio.h>
#include <errno.h>
extern char**environ;
int main(int c,char**v){
  char*a[]={"true",0}; int r=execvp("nosuchprog",a); printf("execvp %d %d\n",r,errno); fflush(stdout);
  pid_t p; posix_spawnp(&p,"true",0,0,a,environ); waitpid(p,0,0);
  p=fork(); if(!p){ execvp("true",a); _exit(1);} waitpid(p,0,0);
  char*b[]={"/etc/passwd",0}; r=execve("/etc/passwd",b,environ); printf("execve %d %d\n",r,errno);fflush(stdout);
  r=execve("./bad",b,environ); printf("execve bad %d %d\n",r,errno);fflush(stdout);
  return 0; }
